/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/linkmap.h"

#include "base/file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_HEADERS = 1024, MOST_OBJECTS = 65536, MOST_PATH = 4096, MOST_DYNAMIC = 1024 };

void prof_linkmap_deinit(struct prof_linkmap *map)
{
	for (size_t i = 0; i < map->items.count; i++)
		free(map->items.items[i].path);
	free(map->items.items);
	free(map->interpreter);
	*map = (struct prof_linkmap){0};
}

#define AUTO_LINKMAP PROF_AUTO(prof_linkmap_deinit)

/* The text at ADDRESS, in a new string; empty if it cannot be read.  NULL: out of memory. */
static char *read_text(const struct prof_target *target, uint64_t address)
{
	char bytes[MOST_PATH];
	size_t got = target->read_memory(target->context, address, bytes, sizeof bytes - 1);

	bytes[got] = '\0';
	return strdup(bytes);
}

/* What is needed from the program's headers. */
struct program {
	uint64_t bias;
	uint64_t dynamic, interpreter; /* addresses; 0: none */
};

static void read_headers(
	struct program *program, const Elf64_Phdr *headers, size_t count, uint64_t address)
{
	*program = (struct program){0};
	for (size_t i = 0; i < count; i++) {
		if (headers[i].p_type == PT_PHDR)
			program->bias = address - headers[i].p_vaddr;
	}
	for (size_t i = 0; i < count; i++) {
		if (headers[i].p_type == PT_DYNAMIC)
			program->dynamic = program->bias + headers[i].p_vaddr;
		else if (headers[i].p_type == PT_INTERP)
			program->interpreter = program->bias + headers[i].p_vaddr;
	}
}

/* The address of the linker's r_debug, which it writes into the program's dynamic section; or 0. */
static uint64_t find_debug(const struct prof_target *target, uint64_t dynamic)
{
	Elf64_Dyn entry;

	for (unsigned i = 0; i < MOST_DYNAMIC; i++, dynamic += sizeof entry) {
		if (!prof_target_read(target, dynamic, &entry, sizeof entry) ||
			entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_DEBUG)
			return entry.d_un.d_ptr;
	}
	return 0;
}

static struct prof_error *read_list(
	struct prof_linkmap *map, const struct prof_target *target, uint64_t address)
{
	struct link_map entry;

	for (; address; address = (uintptr_t)entry.l_next) {
		if (map->items.count == MOST_OBJECTS ||
			!prof_target_read(target, address, &entry, sizeof entry))
			return prof_error_create(PROF_ERROR_DAMAGED,
				"The list of the program's load objects is damaged at 0x%llx.",
				(unsigned long long)address);
		struct prof_linked *linked = prof_array_push(&map->items);
		if (!linked)
			return prof_error_nomem();
		*linked = (struct prof_linked){
			.bias = entry.l_addr,
			.dynamic = (uintptr_t)entry.l_ld,
			.path = read_text(target, (uintptr_t)entry.l_name),
		};
		if (!linked->path)
			return prof_error_nomem();
	}
	return NULL;
}

static const char not_begun[] = "The program has not begun yet: its libraries are not loaded.";

struct prof_error *prof_linkmap_read(
	struct prof_linkmap *map, const struct prof_target *target, uint64_t headers, size_t count)
{
	AUTO_LINKMAP struct prof_linkmap read = {0};
	AUTO_FREE Elf64_Phdr *table = NULL;
	struct program program;
	struct r_debug debug;

	if (count > MOST_HEADERS)
		count = MOST_HEADERS;
	table = calloc(count + 1, sizeof *table);
	if (!table)
		return prof_error_nomem();
	if (!prof_target_read(target, headers, table, count * sizeof *table))
		return prof_error_create(PROF_ERROR_DAMAGED,
			"The program's headers cannot be read from its memory.");
	read_headers(&program, table, count, headers);
	if (!program.dynamic || !program.interpreter)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The program is linked statically: it has no dynamic linker.");
	uint64_t at = find_debug(target, program.dynamic);
	if (!at || !prof_target_read(target, at, &debug, sizeof debug) || !debug.r_map)
		return prof_error_create(PROF_ERROR_STATE, "%s", not_begun);
	read.linker = debug.r_ldbase;
	read.interpreter = read_text(target, program.interpreter);
	struct prof_error *error = read.interpreter
		? read_list(&read, target, (uintptr_t)debug.r_map)
		: prof_error_nomem();
	if (error)
		return error;
	prof_linkmap_deinit(map);
	*map = read;
	read = (struct prof_linkmap){0};
	return NULL;
}

struct prof_error *prof_linkmap_of_process(
	struct prof_linkmap *map, const struct prof_target *target, pid_t pid)
{
	char path[32];
	Elf64_auxv_t vector[64];
	uint64_t headers = 0, count = 0;

	snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = file < 0 ? -1 : read(file, vector, sizeof vector);
	if (got < 0)
		return prof_file_unreadable(path);
	for (size_t i = 0; i < (size_t)got / sizeof *vector; i++) {
		if (vector[i].a_type == AT_PHDR)
			headers = vector[i].a_un.a_val;
		else if (vector[i].a_type == AT_PHNUM)
			count = vector[i].a_un.a_val;
	}
	return prof_linkmap_read(map, target, headers, count);
}
