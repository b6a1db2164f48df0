/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/listed.h"

#include "base/columns.h"
#include "base/strings.h"
#include "metric/groups.h"
#include "metric/profile.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "report/markup.h"
#include "report/number.h"
#include "report/sheet.h"
#include "view/print.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TAB = 8 };

/* The columns of a figure, and of the number of a line. */
enum { FIGURE = 7, NUMBER = 6 };

/* A line of what was listed. */
struct row {
	const char *begin; /* borrowed */
	size_t length;
	uint32_t line; /* 0: none */
	char *file;    /* where it is; borrowed from the files */
	const char *source;
};

struct listed {
	PROF_ARRAY(struct row) rows;
	PROF_ARRAY(char *) files;
	prof_value *exclusive, *inclusive; /* by row */
	prof_value total;
	bool rough;
};

static void listed_deinit(struct listed *listed)
{
	for (size_t i = 0; i < listed->files.count; i++)
		free(listed->files.items[i]);
	free(listed->files.items);
	free(listed->rows.items);
	free(listed->exclusive);
	free(listed->inclusive);
}

/* Behind the escape sequences at AT. */
static const char *skip_escapes(const char *at)
{
	while (*at == '\033') {
		at += strcspn(at, "m\n");
		at += *at == 'm';
	}
	return at;
}

/* Adds the LENGTH bytes at NAME to the files.  NULL: no memory. */
static char *add_file(struct listed *listed, const char *name, size_t length)
{
	char **file = prof_array_push(&listed->files);

	if (file)
		*file = strndup(name, length);
	return file ? *file : NULL;
}

/* Reads the number and the source of ROW, or the name of the file that follows. */
static struct prof_error *read_row(struct listed *listed, struct row *row, char **file)
{
	static const char head[] = "file: \"";
	const char *digits = skip_escapes(row->begin);
	char *end;
	unsigned long line = isdigit((unsigned char)*digits) ? strtoul(digits, &end, 10) : 0;
	const char *tab = line ? skip_escapes(end) : NULL;

	row->file = *file;
	if (tab && *tab == '\t' && line <= UINT32_MAX) {
		row->line = (uint32_t)line;
		row->source = tab + 1;
		return NULL;
	}
	size_t length = strlen(head);
	const char *name = row->length > length && !strncmp(row->begin, head, length)
		? row->begin + length
		: NULL;
	if (name)
		*file = add_file(listed, name, strcspn(name, "\"\n"));
	return *file ? NULL : prof_error_nomem();
}

static struct prof_error *read_rows(struct listed *listed, const char *file, const char *text)
{
	char *current = add_file(listed, file, strlen(file));
	struct prof_error *error = current ? NULL : prof_error_nomem();

	while (*text && !error) {
		struct row *row = prof_array_push(&listed->rows);
		if (!row)
			return prof_error_nomem();
		*row = (struct row){.begin = text, .length = strcspn(text, "\n")};
		text += row->length + (text[row->length] == '\n');
		error = read_row(listed, row, &current);
	}
	return error;
}

/* Is PART the path WHOLE, or the end of it? */
static bool is_end(const char *whole, const char *part)
{
	size_t length = strlen(whole), least = strlen(part);

	return least && least <= length && !strcmp(whole + length - least, part) &&
		(least == length || whole[length - least - 1] == '/');
}

/* The row of LINE, or PROF_NONE; a path may be relative. */
static uint32_t find_row(const struct listed *listed, const struct prof_strings *strings,
	const struct prof_line *line)
{
	const char *file = prof_strings_get(strings, line->file);

	for (uint32_t i = 0; i < listed->rows.count && line->line; i++) {
		const struct row *row = &listed->rows.items[i];
		if (row->line == line->line && (is_end(row->file, file) || is_end(file, row->file)))
			return i;
	}
	return PROF_NONE;
}

/* Works out the shares of the rows. */
static struct prof_error *measure(struct listed *listed, const struct prof_sheet *sheet)
{
	const struct prof_items *items = &sheet->items;
	AUTO_GROUPING struct prof_grouping grouping = {0};
	size_t count = listed->rows.count;
	struct prof_error *error = prof_grouping_init(&grouping, prof_items_count(items), count);

	if (error)
		return error;
	listed->exclusive = calloc(count + 1, sizeof *listed->exclusive);
	listed->inclusive = calloc(count + 1, sizeof *listed->inclusive);
	if (!listed->exclusive || !listed->inclusive)
		return prof_error_nomem();
	for (size_t i = 0; i < items->lines.count; i++)
		grouping.own[i] = grouping.within[i] =
			find_row(listed, &sheet->experiment->strings, &items->lines.items[i]);
	listed->total = sheet->profiles[0]->inclusive[0];
	listed->rough = sheet->few;
	return prof_groups_measure(
		sheet->profiles[0], &grouping, listed->exclusive, listed->inclusive);
}

static void print_figure(const struct listed *listed, prof_value value, struct prof_text *text)
{
	char buffer[PROF_NUMBER_TEXT];
	double percent = prof_value_percent(value, listed->total);

	prof_text_print(text, "%*s", FIGURE,
		value ? prof_number_percent(percent, listed->rough, buffer) : "");
}

/* Adds the LENGTH bytes of source at AT, with spaces for tabs. */
static void print_source(const char *at, size_t length, struct prof_text *text)
{
	size_t column = 0;

	while (length) {
		const char *tab = memchr(at, '\t', length);
		size_t part = tab ? (size_t)(tab - at) : length;
		prof_text_bytes(text, at, part);
		column += prof_columns_of(at, part);
		if (tab) {
			prof_text_spaces(text, (long)(TAB - column % TAB));
			column += TAB - column % TAB;
			part++;
		}
		at += part;
		length -= part;
	}
}

static void print_row(const struct listed *listed, size_t number, struct prof_text *text)
{
	const struct row *row = &listed->rows.items[number];

	if (row->line) {
		print_figure(listed, listed->exclusive[number], text);
		print_figure(listed, listed->inclusive[number], text);
		size_t length = (size_t)(row->begin + row->length - row->source);
		prof_text_print(text, "%*" PRIu32 "%s", NUMBER, row->line, length ? "  " : "");
		prof_markup_begin(text, PROF_MARKUP_LINE);
		print_source(row->source, length, text);
		prof_markup_end(text);
	} else {
		prof_text_bytes(text, row->begin, row->length);
	}
	prof_text_print(text, "\n");
}

struct prof_error *prof_listed_print(const struct prof_experiment *experiment,
	const struct prof_choice *choice, const char *file, const char *listed,
	const struct prof_progress *progress, struct prof_text *text)
{
	const struct prof_sheet_request request = {
		.filter = &choice->filter,
		.kind = PROF_KIND_LINES,
		.inlined = true,
		.want = PROF_WANT_ONE,
		.needs = PROF_HAS_COSTS,
		.who = "prof-list",
	};
	PROF_AUTO(listed_deinit) struct listed lines = {0};
	AUTO_TEXT struct prof_text printed = {0};
	AUTO_SHEET struct prof_sheet sheet = {0};
	struct prof_error *error = prof_sheet_init(&sheet, experiment, &request, progress);

	if (!error)
		error = read_rows(&lines, file, listed);
	if (!error)
		error = measure(&lines, &sheet);
	if (error)
		return error;
	prof_view_filter(&sheet, &choice->filter, &printed);
	prof_text_print(&printed, "%*s%*s\n%*s%*s%*s  Source\n", FIGURE, "Excl.", FIGURE, "Incl.",
		FIGURE, "%", FIGURE, "%", NUMBER, "Line");
	for (size_t i = 0; i < lines.rows.count; i++)
		print_row(&lines, i, &printed);
	prof_markup_print(&choice->markup, prof_text_get(&printed), text);
	error = prof_text_error(&printed);
	return error ? error : prof_text_error(text);
}
