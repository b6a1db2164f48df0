/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/counted_objects.h"

#include "base/list.h"
#include "base/memory.h"
#include "plugin/calls/callers.h"
#include "plugin/calls/counted_patches.h"
#include "plugin/calls/recorded_calls.h"
#include "plugin/gdb/host.h"
#include "target/maps.h"

#include <stdlib.h>
#include <string.h>

/* So many functions are named in a sentence. */
enum { NAMED = 5 };

static const char all[] = "all", functions[] = ":*";

/* The agent counts and records by itself. */
static const char agent[] = "libprofagent.so";

/* A function whose calls are not counted. */
struct other {
	char *name;
	const char *why; /* it cannot be patched, a phrase */
};

struct object {
	char *name;   /* of its file, without folders */
	size_t count; /* of functions whose calls are counted */
	PROF_ARRAY(struct other) others;
	const char *why; /* it was not all added; NULL: it was */
	bool later;      /* it can be tried again */
};

/* There is one GDB, so one of these. */
static struct {
	pid_t process; /* that has them */
	PROF_ARRAY(struct object) items;
} objects;

static void object_deinit(struct object *object)
{
	for (size_t i = 0; i < object->others.count; i++)
		free(object->others.items[i].name);
	free(object->others.items);
	free(object->name);
}

void counted_objects_anew(void)
{
	for (size_t i = 0; i < objects.items.count; i++)
		object_deinit(&objects.items.items[i]);
	objects.items.count = 0;
}

void counted_objects_end(void)
{
	counted_objects_anew();
	free(objects.items.items);
	memset(&objects, 0, sizeof objects);
}

bool counted_objects_are_all(const char *word)
{
	return !strcmp(word, all);
}

bool counted_objects_may_be(const char *word)
{
	size_t length = strlen(word);

	return counted_objects_are_all(word) ||
		(length > strlen(functions) &&
			!strcmp(word + length - strlen(functions), functions));
}

static const char *name_of(const struct prof_mapping *mapping)
{
	const char *slash = strrchr(mapping->path, '/');

	return slash ? slash + 1 : mapping->path;
}

/* Does WORD stand for what MAPPING maps? */
static bool is_meant(const char *word, const struct prof_mapping *mapping)
{
	size_t length = strlen(word) - strlen(functions);

	if (*mapping->path != '/' || !strcmp(name_of(mapping), agent))
		return false;
	if (counted_objects_are_all(word))
		return true;
	const char *name = *word == '/' ? mapping->path : name_of(mapping);
	if (strncmp(name, word, length) != 0)
		return false;
	/* The name of a library goes on with its version. */
	const char *version = name + length;
	return !*version || (*version == '.' && !version[strspn(version, ".0123456789")]);
}

/* Is the file of the mapping numbered INDEX mapped before that, too, at the same place? */
static bool is_repeated(const struct prof_maps *maps, size_t index)
{
	const struct prof_mapping *items = maps->mappings.items, *mapping = &items[index];

	for (size_t i = 0; i < index; i++) {
		if (items[i].low - items[i].offset == mapping->low - mapping->offset &&
			items[i].inode == mapping->inode)
			return true;
	}
	return false;
}

static void add_other(void *context, const char *name, const char *why)
{
	struct object *object = context;
	struct other other = {strdup(name), why};
	struct other *added = other.name ? prof_array_push(&object->others) : NULL;

	if (added)
		*added = other;
	else
		free(other.name);
}

static void add(pid_t process, const struct prof_mapping *mapping)
{
	struct object object = {.name = strdup(name_of(mapping))};
	struct object *added = object.name ? prof_array_push(&objects.items) : NULL;

	if (!added) {
		free(object.name);
		return;
	}
	*added = object;
	added->why = counted_patches_add_object(
		process, mapping->low, add_other, added, &added->count, &added->later);
}

bool counted_objects_add(const char *word, pid_t process)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	AUTO_ERROR struct prof_error *error =
		counted_objects_may_be(word) ? prof_maps_read(&maps, process) : NULL;
	bool found = false;

	objects.process = process;
	for (size_t i = 0; !error && i < maps.mappings.count; i++) {
		if (!is_meant(word, &maps.mappings.items[i]) || is_repeated(&maps, i))
			continue;
		add(process, &maps.mappings.items[i]);
		found = true;
	}
	if (found)
		callers_note_objects(process);
	return found;
}

bool counted_objects_wait(void)
{
	bool later = false;

	for (size_t i = 0; i < objects.items.count; i++)
		later |= objects.items.items[i].later;
	return later;
}

static const char *verb(void)
{
	return recorded_calls_are_wanted() ? "record" : "count";
}

/* Has an other function of OBJECT before the one numbered INDEX the same reason? */
static bool is_said(const struct object *object, size_t index)
{
	bool found = false;

	for (size_t i = 0; i < index && !found; i++)
		found = !strcmp(object->others.items[i].why, object->others.items[index].why);
	return found;
}

/* A sentence for all others with the reason of the one numbered FIRST. */
static void say_others(struct prof_text *text, const struct object *object, size_t first)
{
	struct prof_list_names names = {.text = text, .most = NAMED};
	const char *why = object->others.items[first].why;

	prof_text_print(text, "gdbprof does not %s calls of ", verb());
	for (size_t i = first; i < object->others.count; i++) {
		if (!strcmp(object->others.items[i].why, why))
			prof_list_name(&names, object->others.items[i].name);
	}
	prof_list_end(&names);
	prof_text_print(text, " in ");
	prof_text_name(text, object->name);
	prof_text_print(text, ", because no patch fits: %s.\n", why);
}

static void say(struct prof_text *text, const struct object *object)
{
	if (object->count) {
		prof_text_print(text, "Patches %s the calls of %zu function%s of ", verb(),
			object->count, object->count == 1 ? "" : "s");
		prof_text_name(text, object->name);
		prof_text_print(text, ".\n");
	}
	if (object->why) {
		bool sentence = object->why[strlen(object->why) - 1] == '.';
		prof_text_print(text, "gdbprof does not %s calls of %sfunctions in ", verb(),
			object->count ? "other " : "");
		prof_text_name(text, object->name);
		prof_text_print(text, sentence ? ".  %s\n" : ": %s.\n", object->why);
	}
	for (size_t i = 0; i < object->others.count; i++) {
		if (!is_said(object, i))
			say_others(text, object, i);
	}
}

void counted_objects_say(struct prof_text *text)
{
	for (size_t i = 0; i < objects.items.count && host_process() == objects.process; i++)
		say(text, &objects.items.items[i]);
}
