/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/listing.h"

#include "metric/profile.h"
#include "view/code.h"
#include "view/measures.h"
#include "view/options.h"
#include "view/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct prof_error *prof_listing_init(struct prof_listing *listing, const struct prof_sheet *sheet)
{
	size_t count = prof_items_count(&sheet->items);

	*listing = (struct prof_listing){.sheet = sheet};
	struct prof_error *error = prof_grouping_init(&listing->code, count, 0);
	return error ? error : prof_grouping_init(&listing->sums, count, 0);
}

void prof_listing_deinit(struct prof_listing *listing)
{
	for (size_t i = 0; i < listing->texts.count; i++)
		free(listing->texts.items[i]);
	free(listing->texts.items);
	free(listing->rows.items);
	prof_grouping_deinit(&listing->code);
	prof_grouping_deinit(&listing->sums);
	*listing = (struct prof_listing){0};
}

struct prof_listing_row *prof_listing_row(struct prof_listing *listing, enum prof_listing_kind kind)
{
	struct prof_listing_row *row = prof_array_push(&listing->rows);

	if (row)
		*row = (struct prof_listing_row){.kind = kind};
	return row;
}

uint32_t prof_listing_last(const struct prof_listing *listing)
{
	return (uint32_t)listing->rows.count - 1;
}

struct prof_cell prof_listing_cell(struct prof_listing *listing, const char *format, ...)
{
	char **text = prof_array_push(&listing->texts);
	va_list arguments;

	if (!text)
		return (struct prof_cell){0};
	va_start(arguments, format);
	if (vasprintf(text, format, arguments) < 0)
		*text = NULL;
	va_end(arguments);
	return *text ? prof_cell_name(*text) : (struct prof_cell){0};
}

/* The parts of a listing that is printed. */
struct printed {
	const struct prof_listing *listing;
	const struct prof_choice *choice;
	struct prof_measures measures;
	prof_value *values[PROF_MEASURES]; /* by row, for each metric, exclusive and inclusive */
	bool *hot;                         /* by row */
	size_t cells[PROF_LISTING_CELLS];  /* the shown columns */
	const char *names[PROF_LISTING_CELLS + 1];
	struct prof_grid_column heads[PROF_LISTING_CELLS + 1];
	size_t width; /* the mark's column, and theirs */
};

static void printed_deinit(struct printed *printed)
{
	for (size_t i = 0; i < PROF_COUNT(printed->values); i++)
		free(printed->values[i]);
	free(printed->hot);
	prof_measures_deinit(&printed->measures);
}

static void choose_columns(
	struct printed *printed, const struct prof_listing_column *columns, size_t width)
{
	printed->names[0] = "hot";
	printed->width = 1;
	for (size_t i = 0; i < width; i++) {
		if (columns[i].data && printed->choice->format == PROF_FORMAT_TEXT)
			continue;
		printed->cells[printed->width - 1] = i;
		printed->names[printed->width] = columns[i].name;
		printed->heads[printed->width++] = columns[i].head;
	}
}

/* Works out the metrics of all rows. */
static struct prof_error *measure(struct printed *printed)
{
	const struct prof_listing *listing = printed->listing;
	const struct prof_sheet *sheet = listing->sheet;

	for (size_t i = 0; i < sheet->shown.count; i++) {
		const struct prof_shown *shown = &sheet->shown.items[i];
		prof_value **values = &printed->values[2 * i];
		prof_value total = sheet->profiles[i]->inclusive[0];
		for (size_t j = 0; j < 2; j++) {
			values[j] = calloc(listing->rows.count + 1, sizeof *values[j]);
			if (!values[j])
				return prof_error_nomem();
		}
		struct prof_error *error = prof_groups_measure(
			sheet->profiles[i], &listing->code, values[0], values[1]);
		if (!error)
			error = prof_groups_measure(
				sheet->profiles[i], &listing->sums, values[0], values[1]);
		if (error)
			return error;
		if (shown->exclusive)
			prof_measures_add(&printed->measures, shown, "Exclusive", values[0], total);
		if (shown->inclusive)
			prof_measures_add(&printed->measures, shown, "Inclusive", values[1], total);
	}
	return NULL;
}

/* Finds the rows that are hot by VALUES. */
static void mark_hot(struct printed *printed, const prof_value *values)
{
	const struct prof_listing *listing = printed->listing;
	prof_value most = 0;

	for (size_t i = 0; i < listing->rows.count; i++) {
		if (listing->rows.items[i].kind == PROF_LISTING_CODE && values[i] > most)
			most = values[i];
	}
	/* Divides: the product might not fit. */
	for (size_t i = 0; i < listing->rows.count; i++) {
		if (most && listing->rows.items[i].kind == PROF_LISTING_CODE &&
			values[i] >= most - most / 100 * (100 - PROF_LISTING_HOT))
			printed->hot[i] = true;
	}
}

static bool add_row(struct printed *printed, uint32_t number)
{
	const struct prof_listing_row *row = &printed->listing->rows.items[number];
	bool text = printed->choice->format == PROF_FORMAT_TEXT;
	struct prof_cell *cells = row->kind == PROF_LISTING_TEXT
		? prof_table_row(&printed->measures.table)
		: prof_measures_row(
			  &printed->measures, row->kind == PROF_LISTING_TOTAL ? PROF_NONE : number);

	if (!cells)
		return false;
	cells[0] = text ? prof_cell_name(printed->hot[number] ? "##" : "")
			: prof_cell_integer(printed->hot[number]);
	for (size_t i = 1; i < printed->width; i++)
		cells[i] = row->cells[printed->cells[i - 1]];
	return true;
}

static struct prof_error *fill(struct printed *printed)
{
	const struct prof_listing *listing = printed->listing;

	printed->hot = calloc(listing->rows.count + 1, sizeof *printed->hot);
	if (!printed->hot)
		return prof_error_nomem();
	for (size_t i = 0; i < printed->measures.count; i++)
		mark_hot(printed, printed->measures.items[i].values);
	printed->measures.before = 1;
	printed->measures.blank = printed->choice->markup.screen;
	printed->measures.narrow = printed->choice->markup.screen && !printed->choice->metrics;
	prof_measures_begin(&printed->measures, printed->names, printed->width,
		listing->sheet->shown.count > 1);
	for (uint32_t i = 0; i < listing->rows.count; i++) {
		if (!add_row(printed, i))
			return prof_error_nomem();
	}
	return NULL;
}

struct prof_error *prof_listing_print(struct prof_listing *listing, const char *view,
	const struct prof_listing_column *columns, size_t width, const struct prof_choice *choice,
	struct prof_text *text)
{
	PROF_AUTO(printed_deinit)
	struct printed printed = {.listing = listing, .choice = choice};

	listing->code.groups = listing->sums.groups = listing->rows.count;
	choose_columns(&printed, columns, width);
	struct prof_error *error = measure(&printed);
	if (!error)
		error = fill(&printed);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(
			view, listing->sheet, &printed.measures.table, choice->format, text);
	if (choice->code && choice->code->notes.length)
		prof_text_print(text, "%s\n", prof_text_get(&choice->code->notes));
	prof_measures_print(&printed.measures, printed.heads, text);
	return prof_text_error(text);
}

/* Rows of code keep their order, and all of them are shown. */
static const struct prof_option option_rows[] = {PROF_METRICS_OPTION, PROF_STACK_OPTIONS,
	PROF_FORMAT_OPTION, PROF_OUTPUT_OPTION, PROF_NAMES_OPTION,
	PROF_FILTER_OPTIONS{.name = NULL}};

const struct prof_options prof_listing_options = {.rows = option_rows};
