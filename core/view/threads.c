/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lists of threads and of processes. */
#include "view/print.h"

#include "base/file.h"
#include "view/measures.h"
#include "view/options.h"

#include <stdlib.h>
#include <string.h>

struct threads_choice {
	enum prof_sort sort;
	uint64_t limit; /* rows; 0: all */
};

/* A thread, or a process. */
struct row {
	int64_t id; /* 0: not known */
	const char *name;
};

struct threads {
	const struct prof_sheet *sheet;
	uint32_t *of; /* by thread: its row */
	PROF_ARRAY(struct row) rows;
	prof_value *values[PROF_MEASURES]; /* by what is shown: by row */
	struct prof_measures measures;
	bool any; /* value that is not 0 */
};

static void threads_deinit(struct threads *threads)
{
	free(threads->of);
	free(threads->rows.items);
	for (size_t i = 0; i < threads->sheet->shown.count; i++)
		free(threads->values[i]);
	prof_measures_deinit(&threads->measures);
}

/* The number of the row of the process ID, added if new. */
static struct prof_error *find_row(
	struct threads *threads, struct prof_map *index, int64_t id, uint32_t *ret)
{
	*ret = prof_map_get(index, (uint64_t)id);
	if (*ret != PROF_NONE)
		return NULL;
	*ret = (uint32_t)threads->rows.count;
	struct row *row = prof_array_push(&threads->rows);
	if (!row || !prof_map_add(index, (uint64_t)id, *ret))
		return prof_error_nomem();
	*row = (struct row){id, PROF_UNKNOWN};
	return NULL;
}

/* A row for each thread, or for each of the PROCESSES, which is called as its main thread is. */
static struct prof_error *find_rows(struct threads *threads, bool processes)
{
	const struct prof_experiment *experiment = threads->sheet->experiment;
	const char *program = experiment->recording.program;
	PROF_AUTO(prof_map_deinit) struct prof_map index = {0};
	struct prof_error *error = NULL;

	threads->of = calloc(experiment->threads.count + 1, sizeof *threads->of);
	if (!threads->of || !prof_array_reserve(&threads->rows, experiment->threads.count))
		return prof_error_nomem();
	for (uint32_t i = 0; i < experiment->threads.count && !error; i++) {
		const struct prof_thread *thread = &experiment->threads.items[i];
		const char *name = prof_strings_get(&experiment->strings, thread->name);
		if (!processes) {
			threads->of[i] = i;
			*prof_array_push(&threads->rows) = (struct row){thread->id, name};
			continue;
		}
		error = find_row(threads, &index, thread->process, &threads->of[i]);
		if (!error && thread->process && thread->process == thread->id)
			threads->rows.items[threads->of[i]].name = name;
	}
	if (processes && !experiment->owners.count && threads->rows.count && *program)
		threads->rows.items[0].name = prof_file_base_name(program);
	return error;
}

static struct prof_error *measure(struct threads *threads)
{
	const struct prof_sheet *sheet = threads->sheet;

	for (size_t i = 0; i < sheet->shown.count; i++) {
		const struct prof_shown *shown = &sheet->shown.items[i];
		AUTO_FREE prof_value *values = NULL;
		prof_value total = 0;
		struct prof_error *error = prof_metric_by_thread(sheet->experiment, &shown->metric,
			sheet->selection, sheet->progress, &values);
		if (error)
			return error;
		threads->values[i] = calloc(threads->rows.count + 1, sizeof *threads->values[i]);
		if (!threads->values[i])
			return prof_error_nomem();
		for (size_t j = 0; j < sheet->experiment->threads.count; j++) {
			threads->values[i][threads->of[j]] += values[j];
			total += values[j];
		}
		threads->any |= total != 0;
		prof_measures_add(&threads->measures, shown, NULL, threads->values[i], total);
	}
	return NULL;
}

/* The largest of the first metric first; equal ones in the order of first encounter. */
static int compare_values(const void *left, const void *right, void *context)
{
	const struct threads *threads = context;
	const prof_value *values = threads->values[0];
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (values[a] != values[b])
		return values[a] > values[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* Of one name the largest first. */
static int compare_names(const void *left, const void *right, void *context)
{
	const struct row *rows = ((const struct threads *)context)->rows.items;
	int names = strcmp(rows[*(const uint32_t *)left].name, rows[*(const uint32_t *)right].name);

	return names ? names : compare_values(left, right, context);
}

static struct prof_error *fill(struct threads *threads, const struct prof_choice *choice)
{
	const struct threads_choice *own = choice->own;
	size_t count = threads->rows.count;
	AUTO_FREE uint32_t *order = malloc((count + 1) * sizeof *order);

	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	if (own->sort != PROF_SORT_FIRST)
		qsort_r(order, count, sizeof *order,
			own->sort == PROF_SORT_NAME ? compare_names : compare_values, threads);
	struct prof_cell *cells = prof_measures_row(&threads->measures, PROF_NONE);
	if (!cells)
		return prof_error_nomem();
	cells[1] = prof_cell_name(PROF_SHEET_TOTAL);
	if (own->limit && count >= own->limit)
		count = own->limit - 1;
	for (size_t i = 0; i < count; i++) {
		const struct row *row = &threads->rows.items[order[i]];
		cells = prof_measures_row(&threads->measures, order[i]);
		if (!cells)
			return prof_error_nomem();
		if (row->id)
			cells[0] = prof_cell_integer(row->id);
		cells[1] = prof_cell_name(row->name);
	}
	return NULL;
}

struct prof_error *prof_print_threads(const struct prof_sheet *sheet,
	const struct prof_choice *choice, bool processes, struct prof_text *text)
{
	const char *view = processes ? "processes" : "threads";
	const char *const leading[] = {processes ? "process" : "thread", "name"};
	const struct prof_grid_column heads[] = {
		{{NULL, NULL, processes ? "Process" : "Thread"}, true},
		{{NULL, NULL, "Name"}, false}};
	PROF_AUTO(threads_deinit) struct threads threads = {.sheet = sheet};
	struct prof_error *error = find_rows(&threads, processes);

	if (!error)
		error = measure(&threads);
	if (error)
		return error;
	if (choice->format == PROF_FORMAT_TEXT && !threads.any) {
		prof_print_why_nothing(sheet, text);
		return NULL;
	}
	prof_measures_begin(&threads.measures, leading, 2, true);
	error = fill(&threads, choice);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(view, sheet, &threads.measures.table, choice->format, text);
	prof_measures_print(&threads.measures, heads, text);
	return prof_text_error(text);
}

static const struct prof_option option_rows[] = {PROF_METRICS_OPTION,
	PROF_SORT_OPTION(struct threads_choice),
	PROF_ROWS_OPTIONS(struct threads_choice){.name = NULL}};

const struct prof_options prof_threads_options = PROF_OPTIONS(option_rows, struct threads_choice);

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	return prof_print_threads(sheet, choice, false, text);
}

const struct prof_view prof_view_threads = {
	.name = "threads",
	.describe = "List the threads with their metrics.\nA thread has the name that it had last.",
	.options = &prof_threads_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_COSTS,
};
