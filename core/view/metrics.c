/* The list of metrics, with what the experiment has of each. */
#include "view/print.h"

#include "view/grid.h"
#include "view/number.h"

#include <string.h>

enum { NAME, TITLE, UNIT, TOTAL, WIDTH };

/* What EXPERIMENT calls METRIC; NULL: it has nothing of that kind. */
static const char *title_of(
	const struct prof_experiment *experiment, const struct prof_metric *metric)
{
	uint32_t event;

	if (prof_metric_is_traced(metric) && !experiment->traced.count)
		return NULL;
	if (!prof_metric_is_event(metric, &event))
		return metric->title;
	return event < experiment->events.count
		? prof_strings_get(&experiment->strings, experiment->events.items[event])
		: NULL;
}

static const char *const columns[WIDTH] = {
	[NAME] = "name",
	[TITLE] = "title",
	[UNIT] = "unit",
	[TOTAL] = "total",
};

/* What SHEET's samples carry of METRIC, added up. */
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

static void print_text(const struct prof_table *table, struct prof_text *text)
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
		const struct prof_metric *metric = prof_metrics;
		while (strcmp(metric->name, row[NAME].name) != 0)
			metric++;
		prof_grid_cell(&grid, row[NAME].name);
		prof_grid_cell(&grid, prof_number_value(row[TOTAL].value, metric, buffer));
		prof_grid_cell(&grid, row[UNIT].name);
		prof_grid_name(&grid, "", row[TITLE].name, "");
	}
	prof_grid_print(&grid, text);
}

struct prof_error *prof_print_metrics(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {.key = "rows", .columns = columns, .width = WIDTH};

	for (const struct prof_metric *metric = prof_metrics; metric->name; metric++) {
		const char *title = title_of(sheet->experiment, metric);
		if (choice->limit && prof_table_rows(&table) == choice->limit)
			break;
		if (!title)
			continue;
		struct prof_cell *row = prof_table_row(&table);
		prof_value value;
		if (!row)
			return prof_error_nomem();
		struct prof_error *error = total(sheet, metric, &value);
		if (error)
			return error;
		row[NAME] = prof_cell_name(metric->name);
		row[TITLE] = prof_cell_name(title);
		row[UNIT] = prof_cell_name(metric->unit);
		row[TOTAL] = prof_cell_value_in(value, metric->units);
	}
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table("metrics", sheet, &table, choice->format, text);
	print_text(&table, text);
	return prof_text_error(text);
}
