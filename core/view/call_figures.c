/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/call_figures.h"

#include "base/time_unit.h"
#include "metric/call_list.h"
#include "model/experiment.h"
#include "report/grid.h"
#include "view/print.h"

#include <stdio.h>
#include <string.h>

/* The percentiles that are shown. */
static const unsigned percents[] = {50, 90, 99};

enum { FUNCTION, CALLS, OPEN, LEFT, TOTAL, MEAN, P50, P90, P99, MOST, WIDTH };

static const char *const columns[WIDTH] = {
	[FUNCTION] = "function",
	[CALLS] = "calls",
	[OPEN] = "open",
	[LEFT] = "left",
	[TOTAL] = "total",
	[MEAN] = "mean",
	[P50] = "p50",
	[P90] = "p90",
	[P99] = "p99",
	[MOST] = "max",
};

enum { FROM, TO, BIN_CALLS, BIN_WIDTH };

static const char *const bin_columns[BIN_WIDTH] = {
	[FROM] = "from", [TO] = "to", [BIN_CALLS] = "calls"};

enum { BAR = 40 }; /* columns: of the bin with most calls */

/* The calls of GROUP that ended. */
static size_t ended(const struct prof_call_group *group)
{
	return group->durations.list.count;
}

prof_value prof_call_mean(const struct prof_call_group *group)
{
	return prof_value_scale(group->durations.total, 1, (prof_value)ended(group));
}

static const char *name_of(
	const struct prof_call_figures *figures, const struct prof_call_group *group)
{
	return figures->name
		? figures->name
		: prof_experiment_function_name(figures->sheet->experiment, group->function);
}

/* The groups that are shown. */
static size_t count_of(const struct prof_call_figures *figures)
{
	size_t count = figures->list->groups.count;

	return figures->limit && figures->limit < count ? figures->limit : count;
}

static struct prof_cell seconds(prof_value ns)
{
	return prof_cell_value_in(ns, PROF_NS_PER_SECOND);
}

/* Fills in the ROW of GROUP. */
static void fill_row(struct prof_cell *row, const struct prof_call_figures *figures,
	const struct prof_call_group *group)
{
	const struct prof_durations *durations = &group->durations;

	row[FUNCTION] = prof_cell_name(name_of(figures, group));
	row[CALLS] = prof_cell_integer((int64_t)ended(group));
	row[OPEN] = prof_cell_integer((int64_t)group->ends[PROF_CALL_END_OPEN]);
	row[LEFT] = prof_cell_integer((int64_t)group->ends[PROF_CALL_END_LEFT]);
	row[TOTAL] = seconds(durations->total);
	if (!ended(group))
		return;
	row[MEAN] = seconds(prof_call_mean(group));
	for (size_t i = 0; i < PROF_COUNT(percents); i++)
		row[P50 + i] =
			seconds(prof_value_of(prof_durations_percentile(durations, percents[i])));
	row[MOST] = seconds(prof_value_of(prof_durations_percentile(durations, 100)));
}

struct prof_error *prof_call_figures_print_data(
	const struct prof_call_figures *figures, struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = WIDTH, .units = 1};

	for (size_t i = 0; i < count_of(figures); i++) {
		struct prof_cell *row = prof_table_row(&table);
		if (!row)
			return prof_error_nomem();
		fill_row(row, figures, &figures->list->groups.items[i]);
	}
	return prof_print_table("calls", figures->sheet, &table, figures->choice->format, text);
}

static void add_count(struct prof_grid *grid, uint64_t count)
{
	prof_grid_number(grid, prof_value_of((int64_t)count), 1, 0);
}

/* Adds NS as microseconds. */
static void add_time(struct prof_grid *grid, int64_t ns)
{
	prof_grid_number(grid, prof_value_of(ns), PROF_NS_PER_US, 3);
}

static void add_durations(struct prof_grid *grid, const struct prof_call_group *group)
{
	prof_grid_number(grid, prof_call_mean(group), PROF_NS_PER_US, 3);
	for (size_t i = 0; i < PROF_COUNT(percents); i++)
		add_time(grid, prof_durations_percentile(&group->durations, percents[i]));
	add_time(grid, prof_durations_percentile(&group->durations, 100));
}

void prof_call_figures_print(const struct prof_call_figures *figures, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{NULL, NULL, "Calls"}, true},
		{{NULL, "Total", "sec."}, true},
		{{NULL, "Mean", "us"}, true},
		{{NULL, "p50", "us"}, true},
		{{NULL, "p90", "us"}, true},
		{{NULL, "p99", "us"}, true},
		{{NULL, "Max", "us"}, true},
		{{NULL, "Not", "returned"}, true},
		{{NULL, NULL, "Function"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};

	for (size_t i = 0; i < count_of(figures); i++) {
		const struct prof_call_group *group = &figures->list->groups.items[i];
		add_count(&grid, ended(group));
		prof_grid_number(&grid, group->durations.total, PROF_NS_PER_SECOND, 6);
		if (ended(group))
			add_durations(&grid, group);
		for (size_t j = 0; !ended(group) && j < PROF_COUNT(percents) + 2; j++)
			prof_grid_cell(&grid, "");
		add_count(&grid, group->ends[PROF_CALL_END_OPEN]);
		prof_grid_function(&grid, "", name_of(figures, group), "");
	}
	prof_grid_print(&grid, text);
}

/* Adds the bar of CALLS, where the bin with most has MOST: whatever is more than nothing is seen.
 */
static void add_bar(struct prof_grid *grid, uint64_t calls, uint64_t most)
{
	char bar[BAR + 1];
	size_t length = (size_t)((double)calls * BAR / (double)most);

	if (calls && !length)
		length = 1;
	memset(bar, '#', length);
	bar[length] = '\0';
	prof_grid_cell(grid, bar);
}

struct prof_error *prof_call_bins_print(
	const struct prof_durations *durations, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{NULL, "From", "us"}, true},
		{{NULL, "to", "us"}, true},
		{{NULL, NULL, "Calls"}, true},
		{{NULL, NULL, "%"}, true},
		{{NULL, NULL, ""}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	AUTO_DURATION_BINS struct prof_duration_bins bins = {0};
	struct prof_error *error = prof_duration_bins_init(&bins, durations);

	for (size_t i = 0; !error && i < bins.items.count; i++) {
		const struct prof_duration_bin *bin = &bins.items.items[i];
		char percent[32];
		snprintf(percent, sizeof percent, "%.2f",
			100 * (double)bin->calls / (double)durations->list.count);
		add_time(&grid, bin->low);
		add_time(&grid, bin->high);
		add_count(&grid, bin->calls);
		prof_grid_cell(&grid, percent);
		add_bar(&grid, bin->calls, bins.most);
	}
	if (!error && bins.items.count)
		prof_grid_print(&grid, text);
	return error;
}

struct prof_error *prof_call_bins_print_data(const struct prof_call_figures *figures,
	const struct prof_durations *durations, struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = bin_columns, .width = BIN_WIDTH, .units = 1};
	AUTO_DURATION_BINS struct prof_duration_bins bins = {0};
	struct prof_error *error = prof_duration_bins_init(&bins, durations);

	for (size_t i = 0; !error && i < bins.items.count; i++) {
		const struct prof_duration_bin *bin = &bins.items.items[i];
		struct prof_cell *row = prof_table_row(&table);
		if (!row)
			return prof_error_nomem();
		row[FROM] = seconds(prof_value_of(bin->low));
		row[TO] = seconds(prof_value_of(bin->high));
		row[BIN_CALLS] = prof_cell_integer((int64_t)bin->calls);
	}
	return error
		? error
		: prof_print_table("calls", figures->sheet, &table, figures->choice->format, text);
}
