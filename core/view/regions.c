/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of parallel regions. */
#include "base/time_unit.h"
#include "metric/regions.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "report/grid.h"
#include "report/number.h"
#include "view/options.h"
#include "view/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	REGION,
	FILE_NAME,
	LINE,
	THREADS,
	INSTANCES,
	WORK,
	WAIT,
	WAIT_PERCENT,
	IMBALANCE,
	TIMES, /* the first of the times of enum prof_region_time */
	WIDTH = TIMES + PROF_REGION_TIMES
};

static const char *const columns[WIDTH] = {
	[REGION] = "region",
	[FILE_NAME] = "file",
	[LINE] = "line",
	[THREADS] = "threads",
	[INSTANCES] = "instances",
	[WORK] = "omp_work",
	[WAIT] = "omp_wait",
	[WAIT_PERCENT] = "omp_wait_percent",
	[IMBALANCE] = "imbalance_percent",
	[TIMES + PROF_REGION_INSIDE] = "inside",
	[TIMES + PROF_REGION_EXPLICIT] = "explicit_barrier",
	[TIMES + PROF_REGION_IMPLICIT] = "implicit_barrier",
	[TIMES + PROF_REGION_CRITICAL] = "critical_wait",
	[TIMES + PROF_REGION_LOCK] = "lock_wait",
	[TIMES + PROF_REGION_TASKWAIT] = "task_wait",
};

static const char *name_of(const struct prof_experiment *experiment, uint32_t region)
{
	return prof_experiment_function_name(
		experiment, experiment->region_rows.items[region].function);
}

/* The share of their time in the region of SUM that its threads waited. */
static double wait_share(const struct prof_region_sum *sum)
{
	return prof_value_percent(sum->wait, sum->work + sum->wait);
}

static struct prof_error *print_data(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_region_sums *sums, size_t count,
	struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = WIDTH, .units = 1};

	for (size_t i = 0; i < count; i++) {
		const struct prof_region_sum *sum = &sums->items.items[i];
		const struct prof_region *region = &experiment->region_rows.items[sum->region];
		struct prof_cell *row = prof_table_row(&table);
		if (!row)
			return prof_error_nomem();
		row[REGION] = prof_cell_name(name_of(experiment, sum->region));
		if (region->line) {
			row[FILE_NAME] =
				prof_cell_name(prof_experiment_text(experiment, region->file));
			row[LINE] = prof_cell_integer(region->line);
		}
		row[THREADS] = prof_cell_integer(sum->threads);
		if (sum->instances)
			row[INSTANCES] = prof_cell_integer((int64_t)sum->instances);
		row[WORK] = prof_cell_value_in(sum->work, PROF_NS_PER_SECOND);
		row[WAIT] = prof_cell_value_in(sum->wait, PROF_NS_PER_SECOND);
		row[WAIT_PERCENT] = prof_cell_real(wait_share(sum));
		row[IMBALANCE] = prof_cell_real(prof_region_imbalance(sum));
		for (int j = 0; j < PROF_REGION_TIMES && sum->traced; j++)
			row[TIMES + j] = prof_cell_value_in(sum->times[j], PROF_NS_PER_SECOND);
	}
	return prof_print_table("regions", sheet, &table, choice->format, text);
}

static void add_time(struct prof_grid *grid, prof_value ns)
{
	char buffer[PROF_NUMBER_TEXT];

	prof_grid_cell(grid, prof_number_fixed(ns, PROF_NS_PER_SECOND, 3, buffer));
}

static void add_percent(struct prof_grid *grid, double percent)
{
	char buffer[32];

	snprintf(buffer, sizeof buffer, "%.2f", percent);
	prof_grid_cell(grid, buffer);
}

/* INSTANCES is 0 if it is unknown. */
static void add_count(struct prof_grid *grid, uint64_t count)
{
	char buffer[32] = "";

	if (count)
		snprintf(buffer, sizeof buffer, "%" PRIu64, count);
	prof_grid_cell(grid, buffer);
}

/* Adds the times of SUM, or nothing where it was not traced. */
static void add_times(struct prof_grid *grid, const struct prof_region_sum *sum)
{
	for (int i = 0; i < PROF_REGION_TIMES; i++) {
		if (sum->traced)
			add_time(grid, sum->times[i]);
		else
			prof_grid_cell(grid, "");
	}
}

/* Was any of the first COUNT of SUMS traced? */
static bool is_traced(const struct prof_region_sums *sums, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any |= sums->items.items[i].traced;
	return any;
}

/* The times are the columns before the last. */
static void print_text(const struct prof_experiment *experiment,
	const struct prof_region_sums *sums, size_t count, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{"OpenMP", "work", "sec."}, true},
		{{"OpenMP", "wait", "sec."}, true},
		{{NULL, NULL, "%"}, true},
		{{NULL, "Imbalance", "%"}, true},
		{{NULL, NULL, "Threads"}, true},
		{{NULL, NULL, "Instances"}, true},
		{{NULL, "Inside", "sec."}, true},
		{{"Explicit", "barrier", "sec."}, true},
		{{"Implicit", "barrier", "sec."}, true},
		{{"Critical", "section", "sec."}, true},
		{{NULL, "Lock", "sec."}, true},
		{{"Wait for", "tasks", "sec."}, true},
		{{NULL, NULL, "Region"}, false},
	};
	struct prof_grid_column shown[PROF_COUNT(heads)];
	size_t width = PROF_COUNT(heads);
	bool traced = is_traced(sums, count);

	memcpy(shown, heads, sizeof heads);
	if (!traced) {
		width -= PROF_REGION_TIMES;
		shown[width - 1] = heads[PROF_COUNT(heads) - 1];
	}
	AUTO_GRID struct prof_grid grid = {.columns = shown, .width = width};
	for (size_t i = 0; i < count; i++) {
		const struct prof_region_sum *sum = &sums->items.items[i];
		add_time(&grid, sum->work);
		add_time(&grid, sum->wait);
		add_percent(&grid, wait_share(sum));
		add_percent(&grid, prof_region_imbalance(sum));
		add_count(&grid, sum->threads);
		add_count(&grid, sum->instances);
		if (traced)
			add_times(&grid, sum);
		prof_grid_name(&grid, "", name_of(experiment, sum->region), "");
	}
	prof_grid_print(&grid, text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_rows_choice *own = choice->own;
	AUTO_REGION_SUMS struct prof_region_sums sums = {0};
	struct prof_error *error =
		prof_region_sums_init(&sums, sheet->experiment, sheet->selection, sheet->progress);

	if (error)
		return error;
	size_t count = prof_rows_limited(own->limit, sums.items.count);
	if (choice->format != PROF_FORMAT_TEXT)
		return print_data(sheet, choice, &sums, count, text);
	if (!count)
		prof_text_print(text, "No samples in parallel regions of OpenMP.\n");
	else
		print_text(sheet->experiment, &sums, count, text);
	return prof_text_error(text);
}

const struct prof_view prof_view_regions = {
	.name = "regions",
	.describe =
		"List the parallel regions of OpenMP, and how evenly their threads work.\n"
		"Work and wait are the metrics omp-work and omp-wait of all threads inside the region; the percentage is the share of wait.  "
		"The imbalance is how far the work of the busiest thread is above the mean of the threads, in percent of the mean.  "
		"The region with the longest time comes first.\n\n"
		"Record with prof-start --omp to see how often each region was opened (its instances), the time of all threads inside it, and what they waited for.  "
		"The imbalance is then that of the time without these waits.  "
		"For the instances alone, have the calls of the runtime counted: "
		"prof-start --count=GOMP_parallel with gcc, --count=__kmpc_fork_call with clang.",
	.options = &prof_rows_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_STACKS,
};
