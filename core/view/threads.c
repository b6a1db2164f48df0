/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lists of threads, of processes and of ranks. */
#include "view/threads.h"

#include "base/file.h"
#include "base/strings.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "view/options.h"
#include "view/print.h"

#include <stdlib.h>
#include <string.h>

struct threads_choice {
	enum prof_sort sort;
	uint64_t limit; /* rows; 0: all */
};

/*
 * The columns before the metrics.  The rank is one of them if there are ranks, unless it is the id
 * itself.
 */
enum { LEADING = 3 };
static const struct {
	const char *view;
	const char *names[LEADING];
	const char *titles[LEADING];
} lists[] = {
	[PROF_LIST_THREADS] = {"threads", {"rank", "thread", "name"}, {"Rank", "Thread", "Name"}},
	[PROF_LIST_PROCESSES] = {"processes", {"rank", "process", "name"},
		{"Rank", "Process", "Name"}},
	[PROF_LIST_RANKS] = {"ranks", {"", "rank", "host"}, {"", "Rank", "Host"}},
};

void prof_threads_deinit(struct prof_threads *threads)
{
	free(threads->of);
	free(threads->rows.items);
	for (size_t i = 0; i < threads->sheet->shown.count; i++)
		free(threads->values[i]);
	prof_measures_deinit(&threads->measures);
}

/* The number of the row with KEY, which is NEW_ROW if it is new. */
static struct prof_error *find_row(struct prof_threads *threads, struct prof_map *index,
	uint64_t key, const struct prof_threads_row *new_row, uint32_t *ret)
{
	*ret = prof_map_get(index, key);
	if (*ret != PROF_NONE)
		return NULL;
	*ret = (uint32_t)threads->rows.count;
	struct prof_threads_row *row = prof_map_push(index, key, &threads->rows);
	if (!row)
		return prof_error_nomem();
	*row = *new_row;
	return NULL;
}

/* Puts the thread NUMBER into its row, in a list of threads, processes or ranks. */
static struct prof_error *add_thread(struct prof_threads *threads, const struct prof_filter *filter,
	struct prof_map *index, uint32_t number)
{
	const struct prof_experiment *experiment = threads->sheet->experiment;
	const struct prof_thread thread = prof_experiment_thread_row(experiment, number);
	const struct prof_rank *rank = prof_rank_of_thread(experiment, number);
	const char *name = prof_strings_get(&experiment->strings, thread.name);
	struct prof_threads_row row = {.id = thread.id, .known = true, .name = name, .rank = rank};
	/* The ids of processes are below 1 << 22. */
	uint64_t of_rank = rank ? (uint64_t)(rank - experiment->ranks.items + 1) << 32 : 0;
	struct prof_error *error;

	switch (threads->list) {
	case PROF_LIST_PROCESSES:
		row = (struct prof_threads_row){.id = thread.process,
			.known = thread.process,
			.name = PROF_UNKNOWN,
			.rank = rank};
		error = find_row(threads, index, of_rank ^ (uint64_t)thread.process, &row,
			&threads->of[number]);
		if (!error && thread.process && thread.process == thread.id)
			threads->rows.items[threads->of[number]].name = name;
		return error;
	case PROF_LIST_RANKS:
		row = (struct prof_threads_row){.name = PROF_UNKNOWN,
			.left_out = filter->values[PROF_CONDITION_RANK] && !rank};
		if (rank)
			row = (struct prof_threads_row){.id = rank->rank,
				.known = true,
				.left_out = !prof_filter_has_rank(filter, rank->rank),
				.name = prof_experiment_text(experiment, rank->host),
				.rank = rank};
		return find_row(threads, index, rank ? (uint64_t)rank->rank : UINT64_MAX - 1, &row,
			&threads->of[number]);
	default:
		threads->of[number] = number;
		*prof_array_push(&threads->rows) = row;
		return NULL;
	}
}

static struct prof_error *find_rows(struct prof_threads *threads, const struct prof_filter *filter)
{
	const struct prof_experiment *experiment = threads->sheet->experiment;
	const char *program = experiment->recording.program;
	PROF_AUTO(prof_map_deinit) struct prof_map index = {0};
	struct prof_error *error = NULL;

	threads->of = calloc(experiment->threads.count + 1, sizeof *threads->of);
	if (!threads->of || !prof_array_reserve(&threads->rows, experiment->threads.count))
		return prof_error_nomem();
	for (uint32_t i = 0; i < experiment->threads.count && !error; i++)
		error = add_thread(threads, filter, &index, i);
	if (threads->list == PROF_LIST_PROCESSES && !experiment->owners.count &&
		threads->rows.count && *program)
		threads->rows.items[0].name = prof_file_base_name(program);
	return error;
}

static struct prof_error *measure(struct prof_threads *threads)
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
		threads->values[i] =
			calloc(threads->rows.count + PROF_THREADS_MORE, sizeof *threads->values[i]);
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

/* Largest first, by the first metric; with ties, in the order of first encounter. */
static int compare_values(const void *left, const void *right, void *context)
{
	const struct prof_threads *threads = context;
	const prof_value *values = threads->values[0];
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (values[a] != values[b])
		return values[a] > values[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* Equal names: largest first. */
static int compare_names(const void *left, const void *right, void *context)
{
	const struct prof_threads_row *rows = ((const struct prof_threads *)context)->rows.items;
	int names = strcmp(rows[*(const uint32_t *)left].name, rows[*(const uint32_t *)right].name);

	return names ? names : compare_values(left, right, context);
}

bool prof_threads_add(
	struct prof_threads *threads, uint32_t number, const struct prof_threads_row *row)
{
	struct prof_cell *cells = prof_measures_row(&threads->measures, number);

	if (!cells)
		return false;
	if (!threads->skipped && row->rank)
		*cells = prof_cell_integer(row->rank->rank);
	cells += 1 - threads->skipped;
	if (row->known)
		cells[0] = prof_cell_integer(row->id);
	cells[1] = prof_cell_name(row->name);
	return true;
}

static struct prof_error *fill(struct prof_threads *threads, const struct prof_choice *choice)
{
	static const struct prof_threads_row total = {.name = PROF_SHEET_TOTAL};
	const struct threads_choice *own = choice->own;
	size_t count = 0;
	AUTO_FREE uint32_t *order = malloc((threads->rows.count + 1) * sizeof *order);

	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < threads->rows.count; i++) {
		if (!threads->rows.items[i].left_out)
			order[count++] = i;
	}
	if (own->sort != PROF_SORT_FIRST)
		qsort_r(order, count, sizeof *order,
			own->sort == PROF_SORT_NAME ? compare_names : compare_values, threads);
	bool done = prof_threads_add(threads, PROF_NONE, &total);
	if (own->limit && count >= own->limit)
		count = own->limit - 1;
	for (size_t i = 0; i < count && done; i++)
		done = prof_threads_add(threads, order[i], &threads->rows.items[order[i]]);
	return done ? NULL : prof_error_nomem();
}

struct prof_error *prof_threads_list(struct prof_threads *threads, const struct prof_choice *choice)
{
	struct prof_error *error = find_rows(threads, &choice->filter);

	if (!error)
		error = measure(threads);
	if (error || (choice->format == PROF_FORMAT_TEXT && !threads->any))
		return error;
	threads->skipped =
		threads->list == PROF_LIST_RANKS || !prof_rank_any(threads->sheet->experiment);
	threads->measures.blank = choice->markup.screen;
	prof_measures_begin(&threads->measures, lists[threads->list].names + threads->skipped,
		LEADING - threads->skipped, true);
	return fill(threads, choice);
}

struct prof_error *prof_threads_print(const struct prof_threads *threads,
	const struct prof_choice *choice, struct prof_text *text)
{
	const char *const *titles = lists[threads->list].titles;
	const struct prof_grid_column heads[LEADING] = {{{NULL, NULL, titles[0]}, true},
		{{NULL, NULL, titles[1]}, true}, {{NULL, NULL, titles[2]}, false}};

	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(lists[threads->list].view, threads->sheet,
			&threads->measures.table, choice->format, text);
	if (threads->any)
		prof_measures_print(&threads->measures, heads + threads->skipped, text);
	else
		prof_print_why_nothing(threads->sheet, text);
	return prof_text_error(text);
}

struct prof_error *prof_print_threads(const struct prof_sheet *sheet,
	const struct prof_choice *choice, enum prof_threads_list list, struct prof_text *text)
{
	AUTO_THREADS struct prof_threads threads = {.sheet = sheet, .list = list};
	struct prof_error *error = prof_threads_list(&threads, choice);

	return error ? error : prof_threads_print(&threads, choice, text);
}

static const struct prof_option option_rows[] = {PROF_METRICS_OPTION,
	PROF_SORT_OPTION(struct threads_choice),
	PROF_ROWS_OPTIONS(struct threads_choice){.name = NULL}};

const struct prof_options prof_threads_options = PROF_OPTIONS(option_rows, struct threads_choice);

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	return prof_print_threads(sheet, choice, PROF_LIST_THREADS, text);
}

const struct prof_view prof_view_threads = {
	.name = "threads",
	.describe =
		"List the threads with their metrics.\n"
		"A thread has the name that it had last.  In a profile of a parallel job the rank stands before it.",
	.options = &prof_threads_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_COSTS,
};
