/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/symbol_words.h"

#include "plugin/gdb/entries.h"
#include "target/arch.h"
#include "target/elf.h"
#include "target/maps.h"
#include "target/process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* For so many words GDB is as fast. */
enum { FEW = 16 };

/* What GDB calls the vdso, and what the kernel does. */
static const char supplied[] = "system-supplied DSO", vdso[] = "[vdso]";

/* A file that GDB has. */
struct object {
	char *file;
	uint64_t base, inode; /* of its mapping: LOW - OFFSET, and of the file there */
	uint64_t bias;
	struct prof_symbol_hits hits;
	bool whole;  /* the symbols tell all */
	bool there;  /* it is still mapped, */
	bool unread; /* but GDB has not read its symbols */
};

/* There is one GDB, so one of these. */
static struct {
	struct prof_symbol_names names;
	pid_t process; /* that has OBJECTS */
	PROF_ARRAY(struct object) objects;
} words;

void symbol_words_begin(char *const *text, size_t count)
{
	bool good = count > FEW;

	symbol_words_end();
	for (size_t i = 0; good && i < count; i++)
		good = prof_symbol_names_add(&words.names, text[i]);
	if (!good)
		prof_symbol_names_deinit(&words.names);
}

static void object_deinit(struct object *object)
{
	free(object->file);
	prof_symbol_hits_deinit(&object->hits);
}

static void forget_objects(void)
{
	for (size_t i = 0; i < words.objects.count; i++)
		object_deinit(&words.objects.items[i]);
	free(words.objects.items);
	memset(&words.objects, 0, sizeof words.objects);
}

void symbol_words_end(void)
{
	forget_objects();
	prof_symbol_names_deinit(&words.names);
	words.process = 0;
}

/* The mapping of PATH in MAPS; NULL: there is none, or there are copies. */
static const struct prof_mapping *find_path(const struct prof_maps *maps, const char *path)
{
	const struct prof_mapping *found = NULL;

	for (size_t i = 0; i < maps->mappings.count; i++) {
		const struct prof_mapping *mapping = &maps->mappings.items[i];
		if (strcmp(mapping->path, path) != 0)
			continue;
		if (found && mapping->low - mapping->offset != found->low - found->offset)
			return NULL;
		found = found ? found : mapping;
	}
	return found;
}

/* The same of what GDB calls FILE. */
static const struct prof_mapping *find_file(const struct prof_maps *maps, const char *file)
{
	if (!strncmp(file, supplied, strlen(supplied)))
		return find_path(maps, vdso);
	const struct prof_mapping *found = find_path(maps, file);
	AUTO_FREE char *real = found ? NULL : realpath(file, NULL);
	return real ? find_path(maps, real) : found;
}

/* Looks at the symbols that were split off into the file of OBJECT. */
static bool look_at_split(struct object *object)
{
	AUTO_CLOSE int fd = open(object->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool whole = elf && prof_symbol_names_look(&words.names, elf, &object->hits);

	elf_end(elf);
	return whole;
}

/* Fills in OBJECT, which MAPPING maps; SPLIT: its symbols belong to what is mapped there. */
static void look_at(struct object *object, const struct prof_mapping *mapping, bool split)
{
	struct prof_process process;
	struct prof_elf *elf;

	prof_process_init(&process, words.process);
	const struct prof_target target = prof_process_target(&process);
	AUTO_ERROR struct prof_error *error =
		prof_elf_open(words.process, &target, prof_arch_native(), mapping, &elf);
	if (error)
		return;
	object->bias = prof_elf_bias(elf);
	object->whole = split
		? look_at_split(object)
		: prof_symbol_names_look(&words.names, prof_elf_handle(elf), &object->hits);
	prof_elf_close(elf);
}

/* The object FILE at MAPPING, if it is known; NULL: it is not. */
static struct object *find_object(const char *file, const struct prof_mapping *mapping)
{
	for (size_t i = 0; i < words.objects.count; i++) {
		struct object *object = &words.objects.items[i];
		if (object->base == mapping->low - mapping->offset &&
			object->inode == mapping->inode && !strcmp(object->file, file))
			return object;
	}
	return NULL;
}

/* Adds the object FILE at MAPPING; SPLIT: see look_at().  NULL: no memory. */
static struct object *add_object(const char *file, const struct prof_mapping *mapping, bool split)
{
	struct object object = {
		.file = strdup(file),
		.base = mapping->low - mapping->offset,
		.inode = mapping->inode,
	};
	struct object *added = object.file ? prof_array_push(&words.objects) : NULL;

	if (!added) {
		free(object.file);
		return NULL;
	}
	*added = object;
	look_at(added, mapping, split);
	return added;
}

struct search {
	const struct prof_maps *maps;
	bool whole; /* all that GDB has was found */
};

/* GDB has symbols of FILE, which are of OWNER if that is not NULL. */
static void find(void *context, const char *file, const char *owner)
{
	struct search *search = context;
	const char *mapped = owner ? owner : file;
	const struct prof_mapping *mapping = mapped ? find_file(search->maps, mapped) : NULL;
	struct object *object = mapping ? find_object(file, mapping) : NULL;

	if (mapping && !object)
		object = add_object(file, mapping, owner != NULL);
	if (object)
		object->there = true;
	search->whole &= object && object->whole;
}

/* Has GDB read the symbols of what MAPPING maps? */
static bool is_read(const struct prof_mapping *mapping)
{
	for (size_t i = 0; i < words.objects.count; i++) {
		const struct object *object = &words.objects.items[i];
		if (object->there && object->base == mapping->low - mapping->offset &&
			object->inode == mapping->inode)
			return true;
	}
	return false;
}

/*
 * Adds what is mapped already, but GDB has not read yet: a function that is chosen when the program
 * runs may be there, and will be chosen before GDB has.
 */
static void find_unread(struct search *search)
{
	for (size_t i = 0; i < search->maps->mappings.count; i++) {
		const struct prof_mapping *mapping = &search->maps->mappings.items[i];
		if (*mapping->path != '/' || is_read(mapping))
			continue;
		struct object *object = find_object(mapping->path, mapping);
		if (!object)
			object = add_object(mapping->path, mapping, false);
		if (object)
			object->there = object->unread = true;
		search->whole &= object && object->whole;
	}
}

/* Forgets objects that are not there any more, and adds up the others. */
static void add_up(struct prof_symbol_meaning *meanings)
{
	size_t kept = 0;

	for (size_t i = 0; i < words.objects.count; i++) {
		struct object object = words.objects.items[i];
		if (!object.there) {
			object_deinit(&object);
			continue;
		}
		prof_symbol_hits_add(&object.hits, object.bias, meanings);
		for (size_t j = 0; object.unread && j < object.hits.items.count; j++)
			meanings[object.hits.items.items[j].name].unclear = true;
		object.there = object.unread = false;
		words.objects.items[kept++] = object;
	}
	words.objects.count = kept;
}

struct prof_symbol_meaning *symbol_words_find(pid_t process)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	struct search search = {&maps, true};
	struct prof_symbol_meaning *meanings =
		words.names.items.count ? calloc(words.names.items.count, sizeof *meanings) : NULL;

	if (!meanings)
		return NULL;
	if (process != words.process)
		forget_objects();
	words.process = process;
	AUTO_ERROR struct prof_error *error = prof_maps_read(&maps, process);
	if (!error)
		entries_objects(find, &search);
	if (!error)
		find_unread(&search);
	add_up(meanings);
	if (!error && search.whole)
		return meanings;
	free(meanings);
	return NULL;
}
