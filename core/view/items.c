/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lists of functions, of load objects, of lines and of addresses. */
#include "view/print.h"

#include "base/file.h"
#include "base/strings.h"
#include "metric/functions.h"
#include "model/experiment.h"
#include "view/measures.h"
#include "view/options.h"
#include "view/order.h"

#include <stdlib.h>
#include <string.h>

struct items_choice {
	enum prof_sort sort;
	bool bars;
	uint64_t limit; /* rows; 0: all */
};

/* By kind: the view's name. */
static const char *const names[PROF_KINDS] = {
	[PROF_KIND_FUNCTIONS] = "functions",
	[PROF_KIND_OBJECTS] = "objects",
	[PROF_KIND_LINES] = "lines",
	[PROF_KIND_PCS] = "pcs",
};

struct list {
	const struct prof_sheet *sheet;
	struct prof_functions *of[PROF_MEASURES]; /* by what is shown */
	struct prof_measures measures;
	/* Names that were made longer, with their load objects; by row, NULL: unchanged. */
	char **names;
	size_t rows;
};

static void list_deinit(struct list *list)
{
	for (size_t i = 0; i < list->sheet->shown.count; i++)
		prof_functions_destroy(list->of[i]);
	prof_measures_deinit(&list->measures);
	for (size_t i = 0; list->names && i < list->rows; i++)
		free(list->names[i]);
	free(list->names);
}

/* Works out the metrics.  An item may have some of one metric and none of another. */
static struct prof_error *measure(struct list *list)
{
	const struct prof_sheet *sheet = list->sheet;

	for (size_t i = 0; i < sheet->shown.count; i++) {
		const struct prof_shown *shown = &sheet->shown.items[i];
		struct prof_error *error = prof_functions_create(sheet->profiles[i], &list->of[i]);
		if (error)
			return error;
		const struct prof_functions *of = list->of[i];
		if (shown->exclusive)
			prof_measures_add(
				&list->measures, shown, "Exclusive", of->exclusive, of->total);
		if (shown->inclusive)
			prof_measures_add(
				&list->measures, shown, "Inclusive", of->inclusive, of->total);
		for (size_t j = 0; j < of->count; j++)
			list->of[0]->seen[j] |= of->seen[j];
	}
	return NULL;
}

/* A row of the list, to compare it by its name. */
struct namesake {
	const char *name;
	size_t row;
};

static int compare_names(const void *left, const void *right)
{
	return strcmp(
		((const struct namesake *)left)->name, ((const struct namesake *)right)->name);
}

/* NAME with the load object of FUNCTION, if that is known, as a new string. */
static char *name_with_object(
	const struct prof_experiment *experiment, const char *name, uint32_t function)
{
	AUTO_TEXT struct prof_text text = {0};
	uint32_t module = prof_experiment_function_row(experiment, function).module;
	const char *path =
		prof_strings_get(&experiment->strings, experiment->modules.items[module].path);

	prof_text_print(&text, "%s", name);
	if (module)
		prof_text_print(&text, " (%s)", prof_file_base_name(path));
	return strdup(prof_text_get(&text));
}

/* Makes longer names for the COUNT rows of ORDER, which have the same name. */
static struct prof_error *distinguish(struct list *list, const uint32_t *order, size_t count)
{
	const struct prof_items *items = &list->sheet->items;
	AUTO_FREE struct namesake *rows = malloc((count + 1) * sizeof *rows);

	list->rows = count;
	list->names = calloc(count + 1, sizeof *list->names);
	if (!rows || !list->names)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct namesake){prof_items_name(items, order[i]), i};
	qsort(rows, count, sizeof *rows, compare_names);
	for (size_t i = 0; i < count; i++) {
		uint32_t function = prof_items_function(items, order[rows[i].row]);
		bool first = !i || strcmp(rows[i].name, rows[i - 1].name) != 0;
		bool last = i + 1 == count || strcmp(rows[i].name, rows[i + 1].name) != 0;
		if ((first && last) || function == PROF_NONE)
			continue;
		char *name = name_with_object(items->experiment, rows[i].name, function);
		if (!name)
			return prof_error_nomem();
		list->names[rows[i].row] = name;
	}
	return NULL;
}

/* Fills the table: the total, which counts against the limit as in er_print, then the items. */
static struct prof_error *fill(struct list *list, const struct prof_choice *choice)
{
	const struct items_choice *own = choice->own;
	const struct prof_items *items = &list->sheet->items;
	AUTO_FREE uint32_t *order = NULL;
	size_t count;
	/* By the first column, unless another order is asked for. */
	bool inclusive = own->sort == PROF_SORT_DEFAULT && !list->sheet->shown.items[0].exclusive;
	struct prof_error *error = prof_order_items(
		list->of[0], items, inclusive ? PROF_SORT_INCLUSIVE : own->sort, &order, &count);

	if (error)
		return error;
	if (own->limit && count >= own->limit)
		count = own->limit - 1;
	/* Programs that read the file know names as they are. */
	if (choice->format == PROF_FORMAT_TEXT)
		error = distinguish(list, order, count);
	if (error)
		return error;
	struct prof_cell *cell = prof_measures_row(&list->measures, PROF_NONE);
	if (!cell)
		return prof_error_nomem();
	*cell = prof_cell_name(PROF_SHEET_TOTAL);
	for (size_t i = 0; i < count; i++) {
		cell = prof_measures_row(&list->measures, order[i]);
		if (!cell)
			return prof_error_nomem();
		const char *longer = list->names ? list->names[i] : NULL;
		*cell = prof_cell_name(longer ? longer : prof_items_name(items, order[i]));
	}
	return NULL;
}

static const struct prof_option option_rows[] = {PROF_METRICS_OPTION,
	PROF_SORT_OPTION(struct items_choice), PROF_STACK_OPTIONS,
	PROF_BARS_OPTION(struct items_choice),
	PROF_ROWS_OPTIONS(struct items_choice){.name = NULL}};

const struct prof_options prof_items_options = PROF_OPTIONS(option_rows, struct items_choice);

struct prof_error *prof_print_items(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct items_choice *own = choice->own;
	static const char *const leading[] = {"name"};
	static const struct prof_grid_column head = {{NULL, NULL, "Name"}, false};
	PROF_AUTO(list_deinit) struct list list = {.sheet = sheet};

	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	struct prof_error *error = measure(&list);
	if (error)
		return error;
	list.measures.blank = choice->markup.screen;
	list.measures.functions = sheet->items.kind == PROF_KIND_FUNCTIONS;
	prof_measures_begin(&list.measures, leading, 1, sheet->shown.count > 1);
	error = fill(&list, choice);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(names[sheet->items.kind], sheet, &list.measures.table,
			choice->format, text);
	if (own->bars && choice->blocks)
		prof_measures_bars(&list.measures, 1);
	prof_measures_print(&list.measures, &head, text);
	return prof_text_error(text);
}
