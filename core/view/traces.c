/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Functions that were traced one by one: how often they were called, for how long, and with which
 * values.
 */
#include "base/time_unit.h"
#include "view/print.h"

#include "base/strings.h"
#include "metric/traced_calls.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "report/grid.h"
#include "view/options.h"

enum { FUNCTION, CALLS, INSIDE, MEAN, LONGEST, ARGUMENT, SUM, AVERAGE, LEAST, MOST, WIDTH };

static const char *const columns[WIDTH] = {
	[FUNCTION] = "function",
	[CALLS] = "calls",
	[INSIDE] = "inside",
	[MEAN] = "inside_mean",
	[LONGEST] = "longest",
	[ARGUMENT] = "argument",
	[SUM] = "sum",
	[AVERAGE] = "mean",
	[LEAST] = "least",
	[MOST] = "most",
};

static const char *name_of(
	const struct prof_experiment *experiment, const struct prof_traced_calls_function *function)
{
	return function->function == PROF_NONE
		? PROF_UNKNOWN
		: prof_experiment_function_name(experiment, function->function);
}

/* SUM divided by CALLS: the value of one call. */
static prof_value mean_of(prof_value sum, prof_value calls)
{
	return calls ? prof_value_scale(sum, PROF_VALUE_ONE, calls) : 0;
}

static bool add_row(struct prof_table *table, const struct prof_experiment *experiment,
	const struct prof_traced_calls_function *function,
	const struct prof_traced_calls_argument *argument)
{
	struct prof_cell *row = prof_table_row(table);

	if (!row)
		return false;
	row[FUNCTION] = prof_cell_name(name_of(experiment, function));
	row[CALLS] = prof_cell_count(function->calls);
	row[INSIDE] = prof_cell_value_in(function->inside, PROF_NS_PER_SECOND);
	row[MEAN] =
		prof_cell_value_in(mean_of(function->inside, function->calls), PROF_NS_PER_SECOND);
	row[LONGEST] = prof_cell_value_in(prof_value_of(function->longest), PROF_NS_PER_SECOND);
	if (!argument)
		return true;
	row[ARGUMENT] = prof_cell_name(prof_strings_get(&experiment->strings, argument->name));
	row[SUM] = prof_cell_value_in(argument->sum.sum, 1);
	row[AVERAGE] = prof_cell_value_in(mean_of(argument->sum.sum, argument->calls), 1);
	row[LEAST] = prof_cell_value_in(argument->sum.least, 1);
	row[MOST] = prof_cell_value_in(argument->sum.most, 1);
	return true;
}

static struct prof_error *print_data(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_traced_calls *all, size_t count,
	struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = WIDTH, .units = 1};

	for (size_t i = 0; i < count; i++) {
		const struct prof_traced_calls_function *function = &all->functions.items[i];
		if (!function->count && !add_row(&table, sheet->experiment, function, NULL))
			return prof_error_nomem();
		for (size_t j = 0; j < function->count; j++) {
			if (!add_row(&table, sheet->experiment, function,
				    &all->arguments.items[function->first + j]))
				return prof_error_nomem();
		}
	}
	return prof_print_table("traces", sheet, &table, choice->format, text);
}

static void add_numbers(
	struct prof_grid *grid, prof_value calls, prof_value inside, int64_t longest)
{
	prof_grid_number(grid, calls, 1, 0);
	prof_grid_number(grid, inside, PROF_NS_PER_SECOND, 6);
	prof_grid_number(grid, mean_of(inside, calls), PROF_NS_PER_US, 3);
	prof_grid_number(grid, prof_value_of(longest), PROF_NS_PER_US, 3);
}

/* A line below a function: an argument or the result. */
static void add_argument(const struct prof_experiment *experiment,
	const struct prof_traced_calls_argument *argument, struct prof_grid *grid)
{
	const struct {
		const char *what;
		prof_value value;
	} figures[] = {
		{": mean ", mean_of(argument->sum.sum, argument->calls)},
		{", least ", argument->sum.least},
		{", most ", argument->sum.most},
		{", sum ", argument->sum.sum},
	};
	AUTO_TEXT struct prof_text line = {0};
	char buffer[PROF_VALUE_TEXT];

	for (size_t i = 0; i < PROF_COUNT(figures); i++)
		prof_text_print(&line, "%s%s", figures[i].what,
			prof_value_print(figures[i].value, 1, buffer));
	for (int i = 0; i < 4; i++)
		prof_grid_cell(grid, "");
	prof_grid_name(grid, "  ", prof_strings_get(&experiment->strings, argument->name),
		prof_text_get(&line));
}

static void print_text(const struct prof_experiment *experiment,
	const struct prof_traced_calls *all, size_t count, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{"Traced", "Calls", NULL}, true},
		{{"Time", "Inside", "sec."}, true},
		{{"Mean", "Time", "us"}, true},
		{{"Longest", "Time", "us"}, true},
		{{NULL, NULL, "Function"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};

	for (size_t i = 0; i < count; i++) {
		const struct prof_traced_calls_function *function = &all->functions.items[i];
		add_numbers(&grid, function->calls, function->inside, function->longest);
		prof_grid_function(&grid, "", name_of(experiment, function), "");
		for (size_t j = 0; j < function->count; j++)
			add_argument(experiment, &all->arguments.items[function->first + j], &grid);
	}
	prof_grid_print(&grid, text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_rows_choice *own = choice->own;
	AUTO_TRACED_CALLS struct prof_traced_calls all = {0};
	struct prof_error *error =
		prof_traced_calls_init(&all, sheet->experiment, sheet->selection);

	if (error)
		return error;
	size_t count = prof_rows_limited(own->limit, all.functions.count);
	if (choice->format != PROF_FORMAT_TEXT)
		return print_data(sheet, choice, &all, count, text);
	if (!all.functions.count)
		prof_text_print(
			text, "No functions were traced: prof-trace records their calls.\n");
	else
		print_text(sheet->experiment, &all, count, text);
	return prof_text_error(text);
}

const struct prof_view prof_view_traces = {
	.name = "traces",
	.describe = "List traced functions with their calls, times and arguments.\n"
		    "The time of a call includes everything that the function called.  "
		    "Record with prof-trace.",
	.options = &prof_rows_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.traced = true,
	.needs = PROF_HAS_COSTS,
};
