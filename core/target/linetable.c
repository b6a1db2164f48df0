/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/linetable.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/ranges.h"
#include "base/text.h"
#include "target/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The code of one unit, which can have several ranges; see base/ranges.h. */
struct stretch {
	uint64_t low, high;
	Dwarf_Off unit; /* its entry */
};

struct prof_linetable {
	int fd;
	Elf *elf;
	Dwarf *dwarf;                         /* NULL: not open, or there was no memory for it */
	PROF_ARRAY(struct stretch) stretches; /* by address */
};

/* Is BUILD_ID, in hex, that of ELF? */
static bool has_build_id(Elf *elf, const char *build_id)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	const void *bytes;
	ssize_t length = dwelf_elf_gnu_build_id(elf, &bytes);

	for (ssize_t i = 0; i < length; i++)
		prof_text_print(&text, "%02x", ((const unsigned char *)bytes)[i]);
	return length > 0 && !strcmp(prof_text_get(&text), build_id);
}

/* Adds the code of UNIT; LEFT is how many more ranges a file of this size can have. */
static bool add_unit(struct prof_linetable *table, Dwarf_Die *unit, size_t *left)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		/* Many damaged units may refer to one long list of ranges. */
		if (!*left)
			return true;
		--*left;
		struct stretch *added = prof_array_push(&table->stretches);
		if (!added)
			return false;
		*added = (struct stretch){low, high, dwarf_dieoffset(unit)};
	}
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct stretch *a = left;
	const struct stretch *b = right;

	return (a->low > b->low) - (a->low < b->low);
}

struct reading {
	struct prof_linetable *table;
	bool complete; /* all units were added */
};

static void read_units(void *context)
{
	struct reading *reading = context;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	size_t left = 0;

	elf_rawfile(reading->table->elf, &left);
	while (!dwarf_get_units(reading->table->dwarf, unit, &unit, NULL, NULL, &die, NULL)) {
		if (dwarf_tag(&die) == DW_TAG_compile_unit &&
			!add_unit(reading->table, &die, &left))
			return;
	}
	reading->complete = true;
}

static struct prof_error *read_stretches(struct prof_linetable *table)
{
	struct reading reading = {.table = table};

	if (!prof_dwarf_call(table->dwarf, read_units, &reading))
		table->dwarf = NULL;
	if (!reading.complete)
		return prof_error_nomem();
	if (table->stretches.count)
		qsort(table->stretches.items, table->stretches.count,
			sizeof *table->stretches.items, compare);
	return NULL;
}

static struct prof_error *open_file(
	struct prof_linetable *table, const char *path, const char *build_id)
{
	table->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (table->fd < 0)
		return prof_file_unreadable(path);
	elf_version(EV_CURRENT);
	table->elf = elf_begin(table->fd, ELF_C_READ_MMAP, NULL);
	if (!table->elf || elf_kind(table->elf) != ELF_K_ELF || !has_build_id(table->elf, build_id))
		return prof_error_create(
			PROF_ERROR_MISMATCH, "The file %s is not of the build %s.", path, build_id);
	table->dwarf = dwarf_begin_elf(table->elf, DWARF_C_READ, NULL);
	if (!table->dwarf)
		return prof_error_create(
			PROF_ERROR_UNSUPPORTED, "The file %s has no debugging information.", path);
	return read_stretches(table);
}

struct prof_error *prof_linetable_open(
	const char *path, const char *build_id, struct prof_linetable **ret)
{
	struct prof_linetable *table = calloc(1, sizeof *table);

	if (!table)
		return prof_error_nomem();
	struct prof_error *error = open_file(table, path, build_id);
	if (error)
		prof_linetable_close(table);
	else
		*ret = table;
	return error;
}

void prof_linetable_close(struct prof_linetable *table)
{
	if (!table)
		return;
	dwarf_end(table->dwarf);
	elf_end(table->elf);
	if (table->fd >= 0)
		close(table->fd);
	free(table->stretches.items);
	free(table);
}

uint64_t prof_linetable_size(const struct prof_linetable *table)
{
	size_t size = 0;

	elf_rawfile(table->elf, &size);
	return size;
}

/* A search for the line at ADDRESS in the unit at OFFSET. */
struct question {
	Dwarf *dwarf;
	Dwarf_Off offset;
	uint64_t address;
	struct prof_linetable_place place; /* line 0: nothing is known */
};

static void ask(void *context)
{
	struct question *question = context;
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	int number = 0;

	if (!dwarf_offdie(question->dwarf, question->offset, &unit))
		return;
	/* libdw finds the last of several rows at one address. */
	Dwarf_Line *line = dwarf_getsrc_die(&unit, question->address);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (!file || dwarf_lineno(line, &number) || number <= 0)
		return;
	question->place = (struct prof_linetable_place){
		.file = file,
		.directory = dwarf_attr(&unit, DW_AT_comp_dir, &attribute)
			? dwarf_formstring(&attribute)
			: NULL,
		.line = (uint32_t)number,
	};
}

bool prof_linetable_find(
	struct prof_linetable *table, uint64_t address, struct prof_linetable_place *ret)
{
	const struct stretch *stretch = prof_ranges_find(table->stretches.items,
		table->stretches.count, sizeof *table->stretches.items, address);

	if (!stretch || !table->dwarf)
		return false;
	struct question question = {
		.dwarf = table->dwarf, .offset = stretch->unit, .address = address};
	if (!prof_dwarf_call(table->dwarf, ask, &question)) {
		table->dwarf = NULL;
		return false;
	}
	if (!question.place.line)
		return false;
	*ret = question.place;
	return true;
}
