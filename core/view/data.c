/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Accesses to data, by the addresses that counters of memory have recorded. */
#include "view/print.h"

#include "metric/data.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "view/measures.h"
#include "view/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct data_choice {
	enum prof_data_unit unit;
	enum prof_sort sort;
	uint64_t limit; /* rows; 0: all */
};

/* Text lengths of an address, and of an access. */
enum { NAME = 24, ACCESS = 40 };

/* A line of the list. */
struct line {
	char name[NAME];
	char access[ACCESS];
};

struct list {
	const struct prof_sheet *sheet;
	struct prof_shown_list shown;
	struct prof_data_rows rows;
	size_t count; /* values of each measure: the rows, then the sum of the unknown ones */
	prof_value *values[PROF_MEASURES];
	PROF_ARRAY(uint32_t)
	order;              /* the rows with addresses, in the order in which they are shown */
	struct line *lines; /* of the rows */
	struct prof_measures measures;
	bool any; /* value that is not 0 */
};

static void list_deinit(struct list *list)
{
	prof_data_rows_deinit(&list->rows);
	for (size_t i = 0; i < PROF_MEASURES; i++)
		free(list->values[i]);
	free(list->order.items);
	free(list->lines);
	prof_measures_deinit(&list->measures);
}

/* Are there rows of the event NUMBER? */
static bool has_data(const struct prof_experiment *experiment, uint32_t number)
{
	return prof_data_summarize(experiment, number).samples > 0;
}

/* The default metrics: the counters that have recorded data. */
static void choose_counters(const struct prof_experiment *experiment, struct prof_shown_list *ret)
{
	struct prof_metric metric;
	uint32_t number, last = PROF_NONE;

	ret->count = 0;
	for (size_t place = 0; prof_metric_next(experiment, &place, &metric);) {
		if (!prof_metric_is_event(&metric, &number) || number == last ||
			!has_data(experiment, number))
			continue;
		/* A counter that is shown as time also has a metric of counts. */
		last = number;
		ret->items[ret->count++] =
			(struct prof_shown){.metric = metric, .value = true, .percent = true};
	}
}

static struct prof_error *measure(struct list *list)
{
	const struct prof_sheet *sheet = list->sheet;
	size_t rows = list->rows.rows.count;

	list->count = rows + 1;
	for (size_t i = 0; i < list->shown.count; i++) {
		const struct prof_shown *shown = &list->shown.items[i];
		prof_value total = 0, unknown = 0;
		struct prof_error *error =
			prof_metric_by_group(sheet->experiment, &shown->metric, sheet->selection,
				list->rows.of, list->count, sheet->progress, &list->values[i]);
		if (error)
			return error;
		error = prof_data_rows_note(
			&list->rows, sheet->experiment, sheet->selection, &shown->metric);
		if (error)
			return error;
		for (size_t j = 0; j < rows; j++)
			total += list->values[i][j];
		for (size_t j = 0; j < PROF_DATA_UNKNOWNS; j++)
			unknown += list->values[i][j];
		list->values[i][rows] = unknown;
		list->any |= total != 0;
		prof_measures_add(&list->measures, shown, NULL, list->values[i], total);
	}
	return NULL;
}

/* Is any value of ROW other than 0? */
static bool has_value(const struct list *list, uint32_t row)
{
	for (size_t i = 0; i < list->shown.count; i++) {
		if (list->values[i][row])
			return true;
	}
	return false;
}

/* Largest first, by the first metric; with ties, by address. */
static int compare_values(const void *left, const void *right, void *context)
{
	const struct list *list = context;
	const struct prof_data_row *rows = list->rows.rows.items;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (list->values[0][a] != list->values[0][b])
		return list->values[0][a] > list->values[0][b] ? -1 : 1;
	return (rows[a].address > rows[b].address) - (rows[a].address < rows[b].address);
}

static int compare_addresses(const void *left, const void *right, void *context)
{
	const struct prof_data_row *rows = ((const struct list *)context)->rows.rows.items;
	uint64_t a = rows[*(const uint32_t *)left].address;
	uint64_t b = rows[*(const uint32_t *)right].address;

	return (a > b) - (a < b);
}

static void print_access(const struct prof_data_row *row, char *text)
{
	const char *access = prof_access_names[row->access & PROF_ACCESS_LOAD_STORE];
	const char *fetch = row->access & PROF_ACCESS_FETCH ? "fetch" : "";
	const char *call = row->called ? "system call" : "";

	snprintf(text, ACCESS, "%s%s%s%s%s", access, *access && *fetch ? ", " : "", fetch,
		(*access || *fetch) && *call ? ", " : "", call);
}

/* Chooses and names the rows to show. */
static struct prof_error *arrange(struct list *list, const struct prof_choice *choice)
{
	const struct data_choice *own = choice->own;
	size_t rows = list->rows.rows.count;

	list->lines = calloc(rows + 1, sizeof *list->lines);
	if (!list->lines || !prof_array_reserve(&list->order, rows))
		return prof_error_nomem();
	for (uint32_t i = 0; i < rows; i++) {
		const struct prof_data_row *row = &list->rows.rows.items[i];
		struct line *line = &list->lines[i];
		if (i < PROF_DATA_UNKNOWNS) {
			snprintf(line->name, NAME, "%s%s",
				choice->format == PROF_FORMAT_TEXT ? " " : "",
				prof_data_unknown_names[i]);
			continue;
		}
		snprintf(line->name, NAME, "0x%" PRIx64, row->address);
		print_access(row, line->access);
		if (has_value(list, i))
			list->order.items[list->order.count++] = i;
	}
	if (own->sort != PROF_SORT_FIRST)
		qsort_r(list->order.items, list->order.count, sizeof *list->order.items,
			own->sort == PROF_SORT_NAME ? compare_addresses : compare_values, list);
	return NULL;
}

static bool add_row(struct list *list, uint32_t row, const char *access, const char *name)
{
	struct prof_cell *cells = prof_measures_row(&list->measures, row);

	if (!cells)
		return false;
	cells[0] = prof_cell_name(access);
	cells[1] = prof_cell_name(name);
	return true;
}

/* Prints the total, what is unknown and why, and as many addresses as the limit allows. */
static struct prof_error *fill(struct list *list, const struct prof_choice *choice)
{
	const struct data_choice *own = choice->own;
	size_t count = list->order.count;
	uint32_t unknown = (uint32_t)list->rows.rows.count;
	bool good = add_row(list, PROF_NONE, "", PROF_SHEET_TOTAL);

	if (good && has_value(list, unknown)) {
		good = add_row(list, unknown, "", PROF_UNKNOWN);
		for (uint32_t i = 0; good && i < PROF_DATA_UNKNOWNS; i++) {
			if (has_value(list, i))
				good = add_row(list, i, "", list->lines[i].name);
		}
	}
	if (own->limit && count >= own->limit)
		count = own->limit - 1;
	for (size_t i = 0; good && i < count; i++) {
		const struct line *line = &list->lines[list->order.items[i]];
		good = add_row(list, list->order.items[i], line->access, line->name);
	}
	return good ? NULL : prof_error_nomem();
}

static struct prof_error *print(
	struct list *list, const struct prof_choice *choice, struct prof_text *text)
{
	const struct data_choice *own = choice->own;
	static const char *const leading[] = {"access", "address"};
	static const char *const titles[PROF_DATA_UNITS] = {
		[PROF_DATA_PAGES] = "Page",
		[PROF_DATA_LINES] = "Cache Line",
		[PROF_DATA_ADDRESSES] = "Address",
	};
	const struct prof_grid_column heads[] = {
		{{NULL, NULL, "Access"}, false}, {{NULL, NULL, titles[own->unit]}, false}};

	list->measures.blank = choice->markup.screen;
	prof_measures_begin(&list->measures, leading, PROF_COUNT(leading), true);
	struct prof_error *error = arrange(list, choice);
	if (!error)
		error = fill(list, choice);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(
			"data", list->sheet, &list->measures.table, choice->format, text);
	prof_measures_print(&list->measures, heads, text);
	return prof_text_error(text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct data_choice *own = choice->own;
	PROF_AUTO(list_deinit) struct list list = {.sheet = sheet, .shown = sheet->shown};

	if (!sheet->experiment->data.count && choice->format == PROF_FORMAT_TEXT) {
		prof_text_print(text,
			"No data addresses: prof-start --counter=+NAME looks for those of a counter of loads or stores.\n");
		return prof_text_error(text);
	}
	if (sheet->experiment->data.count && !choice->metrics)
		choose_counters(sheet->experiment, &list.shown);
	struct prof_error *error =
		prof_data_rows_init(&list.rows, sheet->experiment, sheet->selection, own->unit);
	if (!error)
		error = measure(&list);
	if (error)
		return error;
	if (choice->format == PROF_FORMAT_TEXT && !list.any) {
		prof_print_why_nothing(sheet, text);
		return prof_text_error(text);
	}
	return print(&list, choice, text);
}

static const struct prof_option option_rows[] = {
	{.name = "unit",
		.value = "UNIT",
		PROF_OPTION_WORDS(prof_data_unit_names),
		.kind = PROF_OPTION_WORD,
		.offset = offsetof(struct data_choice, unit),
		.describe =
			"Choose what a row is: a page of 4096 bytes, a cache line of 64 bytes, or an address.  "
			"The default is page."},
	PROF_METRICS_ROW("The default is each counter that was recorded with +."),
	PROF_SORT_OPTION(struct data_choice), PROF_ROWS_OPTIONS(struct data_choice){.name = NULL}};

static const struct prof_options options = PROF_OPTIONS(option_rows, struct data_choice);

const struct prof_view prof_view_data = {
	.name = "data",
	.describe =
		"List accessed data addresses, the most events first.\n"
		"Events whose address is not known belong to <Unknown>, with the reasons below it.  "
		"Record with prof-start --counter=+NAME.",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_COSTS,
};
