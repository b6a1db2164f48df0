/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of metrics, with the experiment's total of each. */
#include "view/print.h"

#include "model/contents.h"
#include "model/experiment.h"
#include "model/traced_rows.h"
#include "report/grid.h"
#include "report/number.h"
#include "view/options.h"

#include <stdlib.h>

enum { NAME, TITLE, UNIT, TOTAL, WIDTH };

static const char *const columns[WIDTH] = {
	[NAME] = "name",
	[TITLE] = "title",
	[UNIT] = "unit",
	[TOTAL] = "total",
};

/* The sum of METRIC over SHEET's samples. */
static struct prof_error *total(
	const struct prof_sheet *sheet, const struct prof_metric *metric, prof_value *ret)
{
	AUTO_FREE prof_value *values = NULL;
	struct prof_error *error = prof_metric_by_thread(
		sheet->experiment, metric, sheet->selection, sheet->progress, &values);

	*ret = 0;
	for (size_t i = 0; !error && i < sheet->experiment->threads.count; i++)
		*ret += values[i];
	return error;
}

/* METRICS are those of the rows of TABLE. */
static void print_text(
	const struct prof_table *table, const struct prof_metric *metrics, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{NULL, NULL, "Name"}, false},
		{{NULL, NULL, "Total"}, true},
		{{NULL, NULL, "Unit"}, false},
		{{NULL, NULL, "Title"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	char buffer[PROF_NUMBER_TEXT];

	for (size_t i = 0; i < prof_table_rows(table); i++) {
		const struct prof_cell *row = prof_table_get(table, i);
		prof_grid_cell(&grid, row[NAME].name);
		prof_grid_cell(&grid, prof_number_value(row[TOTAL].value, &metrics[i], buffer));
		prof_grid_cell(&grid, row[UNIT].name);
		prof_grid_name(&grid, "", row[TITLE].name, "");
	}
	prof_grid_print(&grid, text);
}

static bool is_listed(const struct prof_experiment *experiment, const struct prof_metric *metric)
{
	return !prof_metric_is_traced(metric) || experiment->traced.count;
}

/* The metrics of EXPERIMENT to list, LIMIT at most, in a new array. */
static struct prof_error *list_metrics(const struct prof_experiment *experiment, uint64_t limit,
	struct prof_metric **ret, size_t *count)
{
	struct prof_metric metric;
	size_t most = 0;

	for (size_t place = 0; prof_metric_next(experiment, &place, &metric);)
		most++;
	struct prof_metric *metrics = calloc(most + 1, sizeof *metrics);
	if (!metrics)
		return prof_error_nomem();
	*count = 0;
	for (size_t place = 0; prof_metric_next(experiment, &place, &metric);) {
		if (is_listed(experiment, &metric) && (!limit || *count < limit))
			metrics[(*count)++] = metric;
	}
	*ret = metrics;
	return NULL;
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_rows_choice *own = choice->own;
	AUTO_TABLE struct prof_table table = {.key = "rows", .columns = columns, .width = WIDTH};
	AUTO_FREE struct prof_metric *metrics = NULL;
	size_t count = 0;
	struct prof_error *error = list_metrics(sheet->experiment, own->limit, &metrics, &count);

	for (size_t i = 0; !error && i < count; i++) {
		const struct prof_metric *metric = &metrics[i];
		struct prof_cell *row = prof_table_row(&table);
		prof_value value;
		if (!row)
			return prof_error_nomem();
		error = total(sheet, metric, &value);
		row[NAME] = prof_cell_name(metric->name);
		row[TITLE] = prof_cell_name(metric->title);
		row[UNIT] = prof_cell_name(metric->unit);
		row[TOTAL] = prof_cell_value_in(value, metric->units);
	}
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table("metrics", sheet, &table, choice->format, text);
	print_text(&table, metrics, text);
	return prof_text_error(text);
}

const struct prof_view prof_view_metrics = {
	.name = "metrics",
	.describe = "List the metrics of the experiment with their totals.\n"
		    "The option --metric of other views takes the names in this list.",
	.options = &prof_rows_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_COSTS,
};
