/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of parallel regions, and of the loops in them. */
#include "base/file.h"
#include "base/memory.h"
#include "base/time_unit.h"
#include "metric/loops.h"
#include "metric/regions.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "report/grid.h"
#include "view/options.h"
#include "view/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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
	KIND = TIMES + PROF_REGION_TIMES,
	WIDTH
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
	[KIND] = "kind",
};

/* What a row is of. */
static const char *const kinds[PROF_SHARED_CODES] = {
	[PROF_SHARED_NONE] = "parallel",
	[PROF_SHARED_LOOP] = "loop",
	[PROF_SHARED_SECTIONS] = "sections",
	[PROF_SHARED_SINGLE] = "single",
};

/* A region, or a loop in the region before it. */
struct row {
	enum prof_shared_code code; /* NONE: a region */
	char *name;
	const char *file; /* borrowed */
	uint32_t line;    /* 0: not known */
	uint32_t threads;
	uint64_t instances; /* 0: not known */
	bool works;         /* are work and imbalance known? */
	prof_value work, wait;
	double imbalance;
	int times; /* how many of TIMES are known, the first ones */
	prof_value times_of[PROF_REGION_TIMES];
};

struct list {
	PROF_ARRAY(struct row) rows;
};

static void list_deinit(struct list *list)
{
	for (size_t i = 0; i < list->rows.count; i++)
		free(list->rows.items[i].name);
	free(list->rows.items);
}

/* A new row of LIST with NAME, which is taken; NULL: no memory. */
static struct row *add_row(struct list *list, char *name)
{
	struct row *row = name ? prof_array_push(&list->rows) : NULL;

	if (row)
		*row = (struct row){.name = name};
	else
		free(name);
	return row;
}

static bool add_region(struct list *list, const struct prof_experiment *experiment,
	const struct prof_region_sum *sum)
{
	const struct prof_region *region = &experiment->region_rows.items[sum->region];
	struct row *row =
		add_row(list, strdup(prof_experiment_function_name(experiment, region->function)));

	if (!row)
		return false;
	row->file = prof_experiment_text(experiment, region->file);
	row->line = region->line;
	row->threads = sum->threads;
	row->instances = sum->instances;
	row->works = true;
	row->work = sum->work;
	row->wait = sum->wait;
	row->imbalance = prof_region_imbalance(sum->most, sum->all, sum->threads);
	row->times = sum->traced ? PROF_REGION_TIMES : 0;
	memcpy(row->times_of, sum->times, sizeof row->times_of);
	return true;
}

/* The name of the loop of SUM; the caller frees it.  NULL: no memory. */
static char *loop_name(const struct prof_experiment *experiment, const struct prof_loop_sum *sum)
{
	const char *name = prof_experiment_function_name(experiment, sum->function);
	/* The function of a region is called after the one that has its code. */
	const char *end = strstr(name, " (parallel");
	AUTO_TEXT struct prof_text text = {0};

	if (!end)
		end = strstr(name, " (task");
	prof_text_bytes(&text, name, end ? (size_t)(end - name) : strlen(name));
	prof_text_print(&text, " (%s", kinds[sum->code]);
	if (sum->line)
		prof_text_print(&text, " at %s:%" PRIu32,
			prof_file_base_name(prof_experiment_text(experiment, sum->file)),
			sum->line);
	prof_text_print(&text, ")");
	return text.failed ? NULL : strdup(prof_text_get(&text));
}

static bool add_loop(struct list *list, const struct prof_experiment *experiment,
	const struct prof_loop_sum *sum)
{
	struct row *row = add_row(list, loop_name(experiment, sum));

	if (!row)
		return false;
	row->code = sum->code;
	row->file = prof_experiment_text(experiment, sum->file);
	row->line = sum->line;
	row->threads = sum->threads;
	row->instances = sum->instances;
	row->works = sum->traced;
	row->work = sum->work;
	row->wait = sum->wait;
	row->imbalance = prof_region_imbalance(sum->most, sum->all, sum->threads);
	row->times = sum->traced ? PROF_REGION_INSIDE + 1 : 0;
	row->times_of[PROF_REGION_INSIDE] = sum->work + sum->wait;
	return true;
}

/* Makes LIST of REGIONS, and of LOOPS behind the regions that they are in. */
static struct prof_error *fill_list(struct list *list, const struct prof_experiment *experiment,
	const struct prof_region_sums *regions, const struct prof_loop_sums *loops)
{
	bool room = true;

	for (size_t i = 0; i < regions->items.count && room; i++) {
		const struct prof_region_sum *region = &regions->items.items[i];
		room = add_region(list, experiment, region);
		for (size_t j = 0; j < loops->items.count && room; j++) {
			const struct prof_loop_sum *loop = &loops->items.items[j];
			if (loop->region == region->region)
				room = add_loop(list, experiment, loop);
		}
	}
	return room ? NULL : prof_error_nomem();
}

/* The share of their time in ROW that threads waited. */
static double wait_share(const struct row *row)
{
	return prof_value_percent(row->wait, row->work + row->wait);
}

static void fill_cells(const struct row *row, struct prof_cell *cells)
{
	cells[REGION] = prof_cell_name(row->name);
	if (row->line) {
		cells[FILE_NAME] = prof_cell_name(row->file);
		cells[LINE] = prof_cell_integer(row->line);
	}
	cells[THREADS] = prof_cell_integer(row->threads);
	if (row->instances)
		cells[INSTANCES] = prof_cell_integer((int64_t)row->instances);
	cells[WAIT] = prof_cell_value_in(row->wait, PROF_NS_PER_SECOND);
	if (row->works) {
		cells[WORK] = prof_cell_value_in(row->work, PROF_NS_PER_SECOND);
		cells[WAIT_PERCENT] = prof_cell_real(wait_share(row));
		cells[IMBALANCE] = prof_cell_real(row->imbalance);
	}
	for (int i = 0; i < row->times; i++)
		cells[TIMES + i] = prof_cell_value_in(row->times_of[i], PROF_NS_PER_SECOND);
	cells[KIND] = prof_cell_name(kinds[row->code]);
}

static struct prof_error *print_data(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct list *list, size_t count,
	struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = WIDTH, .units = 1};

	for (size_t i = 0; i < count; i++) {
		struct prof_cell *cells = prof_table_row(&table);
		if (!cells)
			return prof_error_nomem();
		fill_cells(&list->rows.items[i], cells);
	}
	return prof_print_table("regions", sheet, &table, choice->format, text);
}

/* Adds NS, or, unless it is KNOWN, an empty cell. */
static void add_time(struct prof_grid *grid, prof_value ns, bool known)
{
	if (known)
		prof_grid_number(grid, ns, PROF_NS_PER_SECOND, 3);
	else
		prof_grid_cell(grid, "");
}

static void add_percent(struct prof_grid *grid, double percent, bool known)
{
	char buffer[32] = "";

	if (known)
		snprintf(buffer, sizeof buffer, "%.2f", percent);
	prof_grid_cell(grid, buffer);
}

/* COUNT is 0 if it is unknown. */
static void add_count(struct prof_grid *grid, uint64_t count)
{
	char buffer[32] = "";

	if (count)
		snprintf(buffer, sizeof buffer, "%" PRIu64, count);
	prof_grid_cell(grid, buffer);
}

/* Was any of the first COUNT rows of LIST traced? */
static bool is_traced(const struct list *list, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any |= list->rows.items[i].times != 0;
	return any;
}

/* The times are the columns before the last. */
static void print_text(const struct list *list, size_t count, struct prof_text *text)
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
	bool traced = is_traced(list, count);

	memcpy(shown, heads, sizeof heads);
	if (!traced) {
		width -= PROF_REGION_TIMES;
		shown[width - 1] = heads[PROF_COUNT(heads) - 1];
	}
	AUTO_GRID struct prof_grid grid = {.columns = shown, .width = width};
	for (size_t i = 0; i < count; i++) {
		const struct row *row = &list->rows.items[i];
		add_time(&grid, row->work, row->works);
		add_time(&grid, row->wait, true);
		add_percent(&grid, wait_share(row), row->works);
		add_percent(&grid, row->imbalance, row->works);
		add_count(&grid, row->threads);
		add_count(&grid, row->instances);
		for (int j = 0; j < PROF_REGION_TIMES && traced; j++)
			add_time(&grid, row->times_of[j], j < row->times);
		prof_grid_name(&grid, row->code ? "  " : "", row->name, "");
	}
	prof_grid_print(&grid, text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_rows_choice *own = choice->own;
	AUTO_REGION_SUMS struct prof_region_sums regions = {0};
	AUTO_LOOP_SUMS struct prof_loop_sums loops = {0};
	PROF_AUTO(list_deinit) struct list list = {0};
	struct prof_error *error = prof_region_sums_init(
		&regions, sheet->experiment, sheet->selection, sheet->progress);

	if (!error)
		error = prof_loop_sums_init(
			&loops, sheet->experiment, sheet->selection, sheet->progress);
	if (!error)
		error = fill_list(&list, sheet->experiment, &regions, &loops);
	if (error)
		return error;
	size_t count = prof_rows_limited(own->limit, list.rows.count);
	if (choice->format != PROF_FORMAT_TEXT)
		return print_data(sheet, choice, &list, count, text);
	if (!count)
		prof_text_print(text, "No samples in parallel regions of OpenMP.\n");
	else
		print_text(&list, count, text);
	return prof_text_error(text);
}

const struct prof_view prof_view_regions = {
	.name = "regions",
	.describe =
		"List regions and loops of OpenMP, and how evenly threads work.\n"
		"Work and wait are the metrics omp-work and omp-wait of all threads inside the region; the percentage is the share of wait.  "
		"The imbalance is how far the work of the busiest thread is above the mean of the threads, in percent of the mean.  "
		"The region with the longest time comes first.\n\n"
		"Record with prof-start --omp to see how often each region was opened (its instances), the time of all threads inside it, and what they waited for.  "
		"The imbalance is then that of the time without these waits.  "
		"For the instances alone, count the calls of the runtime: "
		"prof-start --count=GOMP_parallel with gcc, --count=__kmpc_fork_call with clang.\n\n"
		"Loops, sections and singles are below their region.  "
		"With --omp, all of them are listed, with the time and the waits that were traced.  "
		"Without it, gdbprof lists only those whose calls of the runtime are on sampled stacks, with the time that threads waited in these calls.",
	.options = &prof_rows_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_STACKS,
};
