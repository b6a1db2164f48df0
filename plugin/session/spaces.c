/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/spaces.h"

#include "plugin/collect/collector.h"
#include "plugin/collect/inferiors.h"
#include "plugin/collect/notes.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "target/perf_map.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of lists of functions, early and otherwise. */
static const uint64_t SMALL = 1 << 20, LARGEST = 1 << 28;

/* The file that is being removed from SPACE, "" if it is not known which, or NULL. */
static const char *going_from(const struct going *going, const PyObject *space)
{
	return going && (!going->space || going->space == space) ? going->file : NULL;
}

void spaces_init(struct spaces *spaces, const struct engine *engine, const struct going *going)
{
	*spaces = (struct spaces){.engine = engine, .going = going};
	for (size_t i = 0; inferiors_at(i); i++) {
		PyObject *known = inferiors_space(i);
		struct space *space = known ? prof_array_push(&spaces->items) : NULL;
		if (!space)
			continue;
		Py_INCREF(known);
		AUTO_FREE char *program = host_string(known, "filename");
		const char *file = going_from(going, known);
		*space = (struct space){
			.process = inferiors_at(i),
			.space = known,
			.whole = program && !(file && !strcmp(program, file)),
		};
	}
}

void spaces_deinit(struct spaces *spaces)
{
	for (size_t i = 0; i < spaces->items.count; i++) {
		struct space *space = &spaces->items.items[i];
		while (space->objects.count)
			free(space->objects.items[--space->objects.count]);
		free(space->objects.items);
		prof_perf_map_destroy(space->generated);
		Py_DECREF(space->space);
	}
	free(spaces->items.items);
}

/* The true path of the file that GDB or the kernel calls NAME, in a new string, or NULL. */
static char *true_path(const char *name)
{
	static const char deleted[] = " (deleted)";
	static const char kernel[] = "system-supplied DSO"; /* GDB's name for [vdso] */
	size_t length = strlen(name);
	size_t end = strlen(deleted);

	if (!strncmp(name, kernel, strlen(kernel)))
		return strdup("[vdso]");
	/* GDB still has what it has read from a file that no longer exists. */
	if (length > end && !strcmp(name + length - end, deleted))
		length -= end;
	AUTO_FREE char *file = strndup(name, length);
	char *path = file ? realpath(file, NULL) : NULL;
	return path ? path : steal(&file);
}

struct listing {
	struct space *space;
	const char *going;
};

/* Adds the object FILE.  If memory is short, it is missing: symbols are read from FILE instead. */
static void add_object(void *context, const char *file)
{
	const struct listing *listing = context;
	AUTO_FREE char *path = true_path(file);
	AUTO_FREE char *going = listing->going ? true_path(listing->going) : NULL;

	/* There may be another file of the same name, whose contents GDB has read already. */
	if (!path || (listing->going && (!going || !strcmp(path, going))))
		return;
	char **place = prof_array_push(&listing->space->objects);
	if (place)
		*place = steal(&path);
}

/* Is NAME, the kernel's name of a mapping, the file of one of SPACE's objects? */
static bool find_object(const struct space *space, const char *name)
{
	AUTO_FREE char *path = true_path(name);

	for (size_t i = 0; path && i < space->objects.count; i++) {
		if (!strcmp(space->objects.items[i], path))
			return true;
	}
	return false;
}

/* Not an object that GDB has let go of: it would answer for what is mapped there now, or fail. */
static bool has_object(const struct spaces *spaces, struct space *space, const char *path)
{
	struct listing listing = {space, going_from(spaces->going, space->space)};

	if (!space->listed && !(listing.going && !*listing.going))
		host_objects(space->space, add_object, &listing);
	space->listed = true;
	if (space->name != path)
		space->found = find_object(space, path);
	space->name = path;
	return space->found;
}

/*
 * Is PATH mapped at ADDRESS in the process of SPACE?  If only that process is recorded, nobody else
 * has mapped anything.
 */
static bool is_mapped(
	const struct spaces *spaces, const struct space *space, const char *path, uint64_t address)
{
	if (spaces->items.count == 1 && !collectors_have_others())
		return true;
	return spaces->engine->maps && spaces->engine->maps(space->process, address, path);
}

struct space *spaces_find(struct spaces *spaces, const char *path, uint64_t address)
{
	for (size_t i = 0; i < spaces->items.count; i++) {
		struct space *space = &spaces->items.items[i];
		/* Generated code: GDB may have been given its names. */
		if (is_mapped(spaces, space, path, address) &&
			(!*path || has_object(spaces, space, path)))
			return space;
	}
	return NULL;
}

const char *spaces_generated(struct space *space, uint64_t address, bool early, uint64_t *low)
{
	struct prof_error *error = space->mapped
		? NULL
		: prof_perf_map_of(space->process, early ? SMALL : LARGEST, &space->generated);

	if (early)
		prof_error_destroy(error);
	else
		notes_error(error);
	space->mapped = true;
	return space->generated ? prof_perf_map_find(space->generated, address, low) : NULL;
}
