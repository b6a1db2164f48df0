/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The resources that the whole program has used, interval by interval. */
#include "view/interval_rows.h"

#include "metric/filter.h"
#include "metric/items.h"
#include "model/contents.h"
#include "report/grid.h"
#include "report/number.h"
#include "report/sheet.h"
#include "view/options.h"
#include "view/print.h"
#include "view/view.h"

/* Adds a line of a block: TITLE, the value of CELL, and UNIT. */
static void add_line(struct prof_grid *grid, const char *title, const struct prof_cell *cell,
	int places, const char *unit)
{
	char buffer[PROF_NUMBER_TEXT];

	prof_grid_cell(grid, title);
	prof_grid_cell(grid, prof_interval_rows_number(cell, places, buffer));
	prof_grid_cell(grid, cell->kind == PROF_CELL_EMPTY ? "" : unit);
}

/* Adds the block of ROW. */
static void print_block(const struct prof_cell *row, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {{{NULL, NULL, NULL}, false},
		{{NULL, NULL, NULL}, true}, {{NULL, NULL, NULL}, false}};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	const struct prof_cell *figures = &row[PROF_INTERVAL_FIGURES];

	add_line(&grid, "  Duration", &row[PROF_INTERVAL_DURATION], 3, "sec.");
	for (int i = 0; i < PROF_USAGES; i++) {
		AUTO_TEXT struct prof_text title = {0};
		const struct prof_usage_row *usage = &prof_usage_table[i];
		prof_text_print(&title, "  %s", usage->title);
		add_line(&grid, prof_text_get(&title), &figures[i], usage->places, usage->unit);
		if (i != PROF_USAGE_RUNNING)
			continue;
		add_line(&grid, "  Thread time", &row[PROF_INTERVAL_THREAD_TIME], 3, "sec.");
		for (size_t j = 0; j < PROF_INTERVAL_WAIT_COUNT; j++) {
			AUTO_TEXT struct prof_text wait = {0};
			prof_text_print(&wait, "    %s", prof_interval_waits[j].title);
			add_line(&grid, prof_text_get(&wait), &row[PROF_INTERVAL_WAITS + j], 3,
				"sec.");
		}
	}
	prof_grid_print(&grid, text);
}

/* Does FILTER have conditions that the kernel's figures cannot follow? */
static bool filters_samples(const struct prof_filter *filter)
{
	struct prof_filter others = *filter;

	others.values[PROF_CONDITION_INTERVAL] = NULL;
	others.values[PROF_CONDITION_BETWEEN] = NULL;
	return prof_filter_is_set(&others);
}

static void print_overview(const struct prof_interval_rows *rows, const struct prof_filter *filter,
	struct prof_text *text)
{
	char begin[PROF_NUMBER_TEXT], end[PROF_NUMBER_TEXT];

	if (filters_samples(filter))
		prof_text_print(text,
			"The filter selects thread time and the waits in it; all other figures are those of the whole program.\n\n");
	for (size_t i = 0; i < prof_table_rows(&rows->table); i++) {
		const struct prof_cell *row = prof_table_get(&rows->table, i);
		if (row[PROF_INTERVAL_NUMBER].kind == PROF_CELL_EMPTY)
			prof_text_print(text, "Total of %zu interval%s", rows->chosen,
				rows->chosen == 1 ? "" : "s");
		else
			prof_text_print(text, "\nInterval %lld",
				(long long)row[PROF_INTERVAL_NUMBER].integer);
		prof_text_print(text, ", %s to %s sec.: ",
			prof_interval_rows_number(&row[PROF_INTERVAL_START], 3, begin),
			prof_interval_rows_number(&row[PROF_INTERVAL_END], 3, end));
		prof_interval_rows_labels(row, text);
		prof_text_print(text, "\n");
		print_block(row, text);
	}
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	AUTO_INTERVAL_ROWS struct prof_interval_rows rows = {0};
	struct prof_error *error = prof_interval_rows_init(&rows, sheet, choice);

	if (error || prof_interval_rows_nothing(&rows, choice, text))
		return error;
	error = prof_interval_rows_total(&rows);
	if (!error)
		error = prof_interval_rows_fill(&rows);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table("overview", sheet, &rows.table, choice->format, text);
	print_overview(&rows, &choice->filter, text);
	return prof_text_error(text);
}

const struct prof_view prof_view_overview = {
	.name = "overview",
	.describe =
		"Show what the program used, in total and in each interval.\n"
		"CPU time, page faults, context switches, input, output and memory are the kernel's figures for all processes.  "
		"Thread time and the times of waits come from samples.",
	.options = &prof_rows_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_COSTS,
};
