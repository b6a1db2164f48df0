/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of intervals. */
#include "view/interval_rows.h"

#include "metric/items.h"
#include "model/contents.h"
#include "report/grid.h"
#include "report/number.h"
#include "report/sheet.h"
#include "view/options.h"
#include "view/print.h"
#include "view/view.h"

#include <stdio.h>

static struct prof_error *print_list(const struct prof_interval_rows *rows, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{NULL, NULL, "Interval"}, true},
		{{NULL, "Start", "sec."}, true},
		{{NULL, "Duration", "sec."}, true},
		{{NULL, NULL, "Samples"}, true},
		{{NULL, "Thread time", "sec."}, true},
		{{NULL, NULL, "Marks"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	char buffer[PROF_NUMBER_TEXT];

	for (size_t i = 0; i < prof_table_rows(&rows->table); i++) {
		const struct prof_cell *row = prof_table_get(&rows->table, i);
		AUTO_TEXT struct prof_text labels = {0};
		prof_interval_rows_labels(row, &labels);
		snprintf(buffer, sizeof buffer, "%lld",
			(long long)row[PROF_INTERVAL_NUMBER].integer);
		prof_grid_cell(&grid, buffer);
		prof_grid_cell(
			&grid, prof_interval_rows_number(&row[PROF_INTERVAL_START], 3, buffer));
		prof_grid_cell(
			&grid, prof_interval_rows_number(&row[PROF_INTERVAL_DURATION], 3, buffer));
		prof_grid_cell(
			&grid, prof_interval_rows_number(&row[PROF_INTERVAL_SAMPLES], 0, buffer));
		prof_grid_cell(&grid,
			prof_interval_rows_number(&row[PROF_INTERVAL_THREAD_TIME], 3, buffer));
		prof_grid_cell(&grid, prof_text_get(&labels));
		if (labels.failed)
			return prof_error_nomem();
	}
	prof_grid_print(&grid, text);
	return prof_text_error(text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	AUTO_INTERVAL_ROWS struct prof_interval_rows rows = {0};
	struct prof_error *error = prof_interval_rows_init(&rows, sheet, choice);

	if (error || prof_interval_rows_nothing(&rows, choice, text))
		return error;
	error = prof_interval_rows_fill(&rows);
	if (error)
		return error;
	if (choice->format == PROF_FORMAT_TEXT)
		return print_list(&rows, text);
	return prof_print_table("intervals", sheet, &rows.table, choice->format, text);
}

const struct prof_view prof_view_intervals = {
	.name = "intervals",
	.describe =
		"List the intervals between marks.\n"
		"N + 1 marks make N intervals, numbered from 1.  "
		"See prof-mark for making marks, and the option --interval of each view for selecting intervals.",
	.options = &prof_rows_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_COSTS,
};
