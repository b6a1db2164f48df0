/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/source.h"

#include "target/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that are nested deeper than this are taken for damage, and left out. */
enum { DEEPEST = 256 };

struct reader {
	struct prof_source *source;
	Dwarf *dwarf;
	const struct prof_progress *progress;
	struct prof_error *error;
	size_t extents_left; /* the most ranges that a file of this size can have */
	bool plain;          /* names in its language are not mangled */
};

static struct prof_error *add_text(const struct reader *reader, const char *text, uint32_t *ret)
{
	return prof_strings_add(reader->source->strings, text, strlen(text), ret);
}

/* Languages in which a function has the name of its symbol. */
static bool is_plain(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Ada83:
	case DW_LANG_Cobol74:
	case DW_LANG_Cobol85:
	case DW_LANG_Fortran77:
	case DW_LANG_Pascal83:
	case DW_LANG_PLI:
	case DW_LANG_UPC:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* The name of the symbol of FUNCTION, as far as is known, or NULL. */
static const char *name_of(const struct reader *reader, Dwarf_Die *function)
{
	static const unsigned attributes[] = {
		DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
	Dwarf_Attribute attribute;

	for (size_t i = 0; i < PROF_COUNT(attributes); i++) {
		if (attributes[i] == DW_AT_name && !reader->plain)
			continue;
		if (dwarf_attr_integrate(function, attributes[i], &attribute))
			return dwarf_formstring(&attribute);
	}
	return NULL;
}

static struct prof_error *add_function(struct reader *reader, Dwarf_Die *function)
{
	const char *name = name_of(reader, function);
	struct prof_source *source = reader->source;
	Dwarf_Addr base, low, high;
	uint32_t string = PROF_NONE;
	ptrdiff_t at = 0;

	struct prof_error *error = name ? add_text(reader, name, &string) : NULL;
	while (!error && (at = dwarf_ranges(function, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		/* Many functions may refer to one long list of ranges. */
		if (!reader->extents_left--)
			return prof_error_create(PROF_ERROR_DAMAGED,
				"The debugging information has more functions than bytes.");
		struct prof_source_extent *extent = prof_array_push(&source->extents);
		if (!extent)
			return prof_error_nomem();
		*extent = (struct prof_source_extent){
			low, high, string, (uint32_t)source->extents.count};
	}
	return error;
}

/* Adds the functions among the children of PARENT, and among theirs. */
static struct prof_error *add_functions(struct reader *reader, Dwarf_Die *parent, int depth)
{
	struct prof_error *error = NULL;
	Dwarf_Die child;

	if (depth == DEEPEST || dwarf_child(parent, &child))
		return NULL;
	do {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
			tag == DW_TAG_entry_point)
			error = add_function(reader, &child);
		if (!error)
			error = add_functions(reader, &child, depth + 1);
	} while (!error && !dwarf_siblingof(&child, &child));
	return error;
}

/* What must be known about the preceding lines of a unit. */
struct lines {
	bool ended;    /* the last sequence ended at END, and no other address has followed */
	bool has_code; /* the unit has code at END */
	Dwarf_Addr end;
};

static void end_sequence(struct lines *lines, Dwarf_Die *unit, Dwarf_Addr address)
{
	*lines = (struct lines){true, dwarf_haspc(unit, address) > 0, address};
}

/*
 * Is a line at ADDRESS one without code that preceded the end of its sequence?  libdw sorts it
 * after the end, which is at the same address, as it does with the first line of the next sequence.
 */
static bool is_left_over(struct lines *lines, Dwarf_Addr address)
{
	lines->ended = lines->ended && lines->end == address;
	return lines->ended && !lines->has_code;
}

static struct prof_error *add_row(
	struct reader *reader, Dwarf_Line *line, struct prof_source_row row)
{
	struct prof_source *source = reader->source;
	const char *file = dwarf_linesrc(line, NULL, NULL);
	int number = 0;

	if (!file || dwarf_lineno(line, &number) || row.low >= row.high)
		return NULL;
	row.line = (uint32_t)number;
	struct prof_error *error = add_text(reader, file, &row.file);
	if (error)
		return error;
	struct prof_source_row *place = prof_array_push(&source->rows);
	if (!place)
		return prof_error_nomem();
	*place = row;
	return NULL;
}

/* The last of several lines at one address counts: the others have no code. */
static struct prof_error *add_lines(struct reader *reader, Dwarf_Die *unit)
{
	struct lines lines = {0};
	struct prof_error *error = NULL;
	Dwarf_Lines *list;
	size_t count;

	if (dwarf_getsrclines(unit, &list, &count))
		return NULL;
	for (size_t i = 0; !error && i + 1 < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(list, i);
		struct prof_source_row row = {0};
		bool end = false;
		if (dwarf_lineaddr(line, &row.low) ||
			dwarf_lineaddr(dwarf_onesrcline(list, i + 1), &row.high) ||
			dwarf_lineendsequence(line, &end))
			continue;
		if (end)
			end_sequence(&lines, unit, row.low);
		else if (!is_left_over(&lines, row.low))
			error = add_row(reader, line, row);
	}
	return error;
}

static void add_units(void *context)
{
	struct reader *reader = context;
	struct prof_error *error = NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (!error && !dwarf_get_units(reader->dwarf, unit, &unit, NULL, NULL, &die, NULL)) {
		if (dwarf_tag(&die) != DW_TAG_compile_unit)
			continue;
		reader->plain = is_plain(&die);
		error = prof_progress_report(reader->progress, "Reading debugging information",
			dwarf_dieoffset(&die), 0);
		if (!error)
			error = add_functions(reader, &die, 0);
		if (!error)
			error = add_lines(reader, &die);
	}
	reader->error = error;
}

/* By address; at one address functions first, and of these the shorter. */
static int compare_labels(const void *left, const void *right)
{
	const struct prof_source_label *a = left;
	const struct prof_source_label *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->function != b->function)
		return a->function ? -1 : 1;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static int compare_rows(const void *left, const void *right)
{
	const struct prof_source_row *a = left;
	const struct prof_source_row *b = right;

	return (a->low > b->low) - (a->low < b->low);
}

/* By address, and longer ones first: inlined code follows what contains it. */
static int compare_extents(const void *left, const void *right)
{
	const struct prof_source_extent *a = left;
	const struct prof_source_extent *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high > b->high ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

struct prof_error *prof_source_read(
	struct prof_source *source, Elf *elf, const struct prof_progress *progress)
{
	struct reader reader = {.source = source, .progress = progress};

	elf_rawfile(elf, &reader.extents_left);
	reader.dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (reader.dwarf) {
		if (!prof_dwarf_call(reader.dwarf, add_units, &reader))
			return prof_error_nomem();
		dwarf_end(reader.dwarf);
	}
	if (reader.error)
		return reader.error;
	if (source->labels.count)
		qsort(source->labels.items, source->labels.count, sizeof *source->labels.items,
			compare_labels);
	if (source->rows.count)
		qsort(source->rows.items, source->rows.count, sizeof *source->rows.items,
			compare_rows);
	if (source->extents.count)
		qsort(source->extents.items, source->extents.count, sizeof *source->extents.items,
			compare_extents);
	return NULL;
}

void prof_source_deinit(struct prof_source *source)
{
	free(source->labels.items);
	free(source->rows.items);
	free(source->extents.items);
	*source = (struct prof_source){0};
}
