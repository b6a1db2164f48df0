#include "target/source.h"

#include "base/ranges.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* Blocks within blocks deeper than this are taken for damage, and left out. */
enum { DEEPEST = 256 };

struct reader {
	struct prof_source *source;
	Dwarf_Half version; /* of the unit at hand */
	bool plain;         /* its language has names that need no mangling */
};

static struct prof_error *add_text(const struct reader *reader, const char *text, uint32_t *ret)
{
	return prof_strings_add(reader->source->strings, text, strlen(text), ret);
}

/* Languages in which a function's name is that of its symbol. */
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

/* The name that the symbol of FUNCTION has, as far as is known, or NULL. */
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
		struct prof_source_extent *extent = prof_array_push(&source->extents);
		if (!extent)
			return prof_error_nomem();
		*extent = (struct prof_source_extent){
			low, high, string, (uint32_t)source->extents.count};
	}
	return error;
}

/* Adds the functions among the children of PARENT, and of their children. */
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

/*
 * The path of the file that LINE is of.  A sequence of lines begins in file 1; but gprof takes that
 * for file 0 in DWARF 5, until another is set.  *BEGINS: the sequence has had no other so far.
 */
static const char *file_of(const struct reader *reader, Dwarf_Line *line, bool *begins)
{
	Dwarf_Files *files;
	size_t file;

	if (dwarf_line_file(line, &files, &file))
		return NULL;
	*begins = *begins && reader->version >= 5 && file == 1;
	return dwarf_filesrc(files, *begins ? 0 : file, NULL, NULL);
}

/*
 * Is LINE, at ADDRESS, one without code that stood before the end of its sequence?  libdw sorts it
 * behind the end, which is at the same address, as it does with the first line of the next one.
 */
static bool is_left_over(Dwarf_Die *unit, Dwarf_Lines *lines, size_t line, Dwarf_Addr address)
{
	bool ends = false;

	while (line-- > 0 && !ends) {
		Dwarf_Line *before = dwarf_onesrcline(lines, line);
		Dwarf_Addr end;
		if (dwarf_lineaddr(before, &end) || end != address ||
			dwarf_lineendsequence(before, &ends))
			break;
	}
	return ends && dwarf_haspc(unit, address) <= 0;
}

/* Of several lines at one address the last is the one that counts. */
static struct prof_error *add_lines(struct reader *reader, Dwarf_Die *unit)
{
	struct prof_source *source = reader->source;
	bool begins = true;
	Dwarf_Lines *lines;
	size_t count;

	if (dwarf_getsrclines(unit, &lines, &count))
		return NULL;
	for (size_t i = 0; i + 1 < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		struct prof_source_row row = {0};
		bool end = true;
		int number = 0;
		if (dwarf_lineendsequence(line, &end) || end) {
			begins = true;
			continue;
		}
		if (dwarf_lineaddr(line, &row.low) || is_left_over(unit, lines, i, row.low))
			continue;
		const char *file = file_of(reader, line, &begins);
		if (!file || dwarf_lineno(line, &number) ||
			dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &row.high) ||
			row.low >= row.high)
			continue;
		row.line = (uint32_t)number;
		struct prof_error *error = add_text(reader, file, &row.file);
		struct prof_source_row *place = error ? NULL : prof_array_push(&source->rows);
		if (!place)
			return error ? error : prof_error_nomem();
		*place = row;
	}
	return NULL;
}

static struct prof_error *add_units(struct reader *reader, Dwarf *dwarf)
{
	struct prof_error *error = NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (!error && !dwarf_get_units(dwarf, unit, &unit, &reader->version, NULL, &die, NULL)) {
		if (dwarf_tag(&die) != DW_TAG_compile_unit)
			continue;
		reader->plain = is_plain(&die);
		error = add_functions(reader, &die, 0);
		if (!error)
			error = add_lines(reader, &die);
	}
	return error;
}

static int compare_labels(const void *left, const void *right)
{
	const struct prof_source_label *a = left;
	const struct prof_source_label *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static int compare_rows(const void *left, const void *right)
{
	const struct prof_source_row *a = left;
	const struct prof_source_row *b = right;

	return (a->low > b->low) - (a->low < b->low);
}

/* By address, and the longer one first: what is inlined comes after what it is in. */
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

struct prof_error *prof_source_read(struct prof_source *source, Elf *elf)
{
	struct reader reader = {.source = source};
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	struct prof_error *error = dwarf ? add_units(&reader, dwarf) : NULL;

	dwarf_end(dwarf);
	if (error)
		return error;
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

void prof_source_cursor_deinit(struct prof_source_cursor *cursor)
{
	free(cursor->open.items);
	*cursor = (struct prof_source_cursor){0};
}

/* The shortest of the open extents, the last in the file of several; closes those that are over. */
static const struct prof_source_extent *innermost(
	const struct prof_source *source, struct prof_source_cursor *cursor, uint64_t address)
{
	const struct prof_source_extent *found = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < cursor->open.count; i++) {
		uint32_t number = cursor->open.items[i];
		const struct prof_source_extent *extent = &source->extents.items[number];
		if (extent->high <= address)
			continue;
		cursor->open.items[kept++] = number;
		uint64_t length = extent->high - extent->low;
		uint64_t shortest = found ? found->high - found->low : UINT64_MAX;
		if (length < shortest ||
			(length == shortest && found && extent->order > found->order))
			found = extent;
	}
	cursor->open.count = kept;
	return found;
}

/* Of two labels with one address, is OTHER the better one for ADDRESS behind it? */
static bool is_better(const struct prof_source_label *label, const struct prof_source_label *other,
	uint64_t address)
{
	if (label->high <= address)
		return other->high > label->high;
	if (other->high <= address)
		return false;
	if (label->function != other->function)
		return other->function;
	return other->high < label->high;
}

/* The name of the last label at or before ADDRESS, however far; PROF_NONE: there is none. */
static uint32_t label_of(const struct prof_source *source, uint64_t address)
{
	const struct prof_source_label *labels = source->labels.items;
	size_t below = prof_ranges_below(labels, source->labels.count, sizeof *labels, address);
	size_t first = below;

	if (!below)
		return PROF_NONE;
	while (first && labels[first - 1].low == labels[below - 1].low)
		first--;
	const struct prof_source_label *found = &labels[first];
	for (size_t i = first + 1; i < below; i++) {
		if (is_better(found, &labels[i], address))
			found = &labels[i];
	}
	return found->name;
}

struct prof_error *prof_source_move(const struct prof_source *source,
	struct prof_source_cursor *cursor, uint64_t address, const struct prof_source_row **row,
	uint32_t *name)
{
	const struct prof_source_row *rows = source->rows.items;

	while (cursor->row < source->rows.count && rows[cursor->row].low <= address)
		cursor->row++;
	while (cursor->extent < source->extents.count &&
		source->extents.items[cursor->extent].low <= address) {
		uint32_t *place = prof_array_push(&cursor->open);
		if (!place)
			return prof_error_nomem();
		*place = (uint32_t)cursor->extent++;
	}
	*row = cursor->row && address < rows[cursor->row - 1].high ? &rows[cursor->row - 1] : NULL;
	const struct prof_source_extent *extent = innermost(source, cursor, address);
	*name = extent ? extent->name : PROF_NONE;
	if (*name == PROF_NONE)
		*name = label_of(source, address);
	return NULL;
}
