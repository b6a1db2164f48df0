/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_times.h"

#include "base/search.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/rank.h"
#include "parallel/openmp_calls.h"
#include "parallel/openmp_stacks.h"

#include <stdlib.h>

enum { LEVELS = 4 }; /* levels of nested regions of one thread whose times are kept */

/*
 * The regions that a thread had open in its last sample: numbers of stretches plus 1, the outermost
 * first.
 */
struct open {
	uint32_t openers[LEVELS];
	uint32_t times[LEVELS];
};

void prof_openmp_times_deinit(struct prof_openmp_times *times)
{
	free(times->items.items);
	*times = (struct prof_openmp_times){0};
}

int64_t prof_openmp_process(const struct prof_experiment *experiment, uint32_t thread)
{
	enum { PID_BITS = 32 };
	const struct prof_rank *rank = prof_rank_of_thread(experiment, thread);
	int64_t number = rank ? rank - experiment->ranks.items + 1 : 0;

	return (int64_t)((uint64_t)number << PID_BITS |
		(uint32_t)prof_experiment_thread_row(experiment, thread).process);
}

int64_t prof_openmp_begin(const struct prof_sample_row *row)
{
	prof_value spent = 0;

	for (int i = 0; i < PROF_STATES; i++)
		spent += row->values[PROF_QUANTITY_SPENT + i];
	spent /= PROF_VALUE_ONE;
	return spent < PROF_TIME_MOST ? row->sample.time - (int64_t)spent : -PROF_TIME_MOST;
}

/* Finds the openers of the regions in PATH that its own thread has opened, innermost first. */
static size_t find_openers(
	const struct prof_openmp_stacks *stacks, uint32_t path, uint32_t openers[LEVELS])
{
	const struct prof_openmp_stack *stack = &stacks->items[path];
	size_t count = 0;

	/* It waits for the end of a region, or is about to open one. */
	if (!prof_openmp_is_idle(stack) &&
		(stack->construct == PROF_CONSTRUCT_REGION ||
			stack->construct == PROF_CONSTRUCT_FORK ||
			stack->construct == PROF_CONSTRUCT_JOIN ||
			(stack->construct == PROF_CONSTRUCT_UNKNOWN && !stack->depth)))
		openers[count++] = stack->caller;
	while (count < LEVELS && (stack->region || stack->jumped)) {
		uint32_t opener = stack->opener;
		if (!opener)
			break;
		openers[count++] = opener;
		stack = &stacks->items[opener];
	}
	return count;
}

/*
 * The region at LEVEL of a thread of PROCESS, opened by OPENER, is open in ROW; OPEN has the
 * thread's regions.
 */
static struct prof_error *extend(struct prof_openmp_times *times, struct open *open, size_t level,
	uint32_t opener, int64_t process, const struct prof_sample_row *row)
{
	int64_t end = row->sample.time;

	if (!open->times[level] || open->openers[level] != opener) {
		struct prof_openmp_time *added = prof_array_push(&times->items);
		if (!added)
			return prof_error_nomem();
		*added = (struct prof_openmp_time){
			process, prof_openmp_begin(row), end, opener, level == 0};
		open->openers[level] = opener;
		open->times[level] = (uint32_t)times->items.count;
	}
	struct prof_openmp_time *time = &times->items.items[open->times[level] - 1];
	time->end = end > time->end ? end : time->end;
	if (time->end - time->begin > times->longest[time->outer])
		times->longest[time->outer] = time->end - time->begin;
	return NULL;
}

/* Adds ROW of a thread; OPEN has the thread's regions. */
static struct prof_error *take(struct prof_openmp_times *times,
	const struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks,
	struct open *open, const struct prof_sample_row *row)
{
	int64_t process = prof_openmp_process(experiment, row->sample.thread);
	uint32_t openers[LEVELS];
	size_t count = find_openers(stacks, row->sample.path, openers);
	struct prof_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++)
		error = extend(times, open, i, openers[count - 1 - i], process, row);
	for (size_t i = count; i < LEVELS; i++)
		open->times[i] = 0;
	return error;
}

static int compare(const void *left, const void *right)
{
	const struct prof_openmp_time *a = left, *b = right;

	if (a->process != b->process)
		return (a->process > b->process) - (a->process < b->process);
	if (a->outer != b->outer)
		return a->outer - b->outer;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

/*
 * Sorts TIMES unless they are in order already, as they mostly are where one thread of each process
 * opens regions: qsort() takes as much memory again.
 */
static void sort(struct prof_openmp_times *times)
{
	size_t i = 1;

	while (i < times->items.count &&
		compare(&times->items.items[i - 1], &times->items.items[i]) <= 0)
		i++;
	if (i < times->items.count)
		qsort(times->items.items, times->items.count, sizeof *times->items.items, compare);
}

struct prof_error *prof_openmp_times_init(struct prof_openmp_times *times,
	const struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks,
	const struct prof_progress *progress)
{
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = experiment, .progress = progress, .doing = "Finding regions"};
	AUTO_FREE struct open *open = calloc(experiment->threads.count + 1, sizeof *open);
	const uint32_t spent = (1U << PROF_QUANTITIES_SAMPLED) - (1U << PROF_QUANTITY_SPENT);
	struct prof_error *error = NULL;

	*times = (struct prof_openmp_times){0};
	if (!open)
		return prof_error_nomem();
	while (!error && prof_cursor_next(&rows)) {
		if (rows.row.has & spent)
			error = take(times, experiment, stacks, &open[rows.row.sample.thread],
				&rows.row);
	}
	if (!error)
		error = prof_cursor_error(&rows);
	if (!error)
		sort(times);
	return error;
}

size_t prof_openmp_times_first(
	const struct prof_openmp_times *times, int64_t process, bool outer, int64_t begin)
{
	struct prof_openmp_time wanted = {
		.process = process, .outer = outer, .begin = begin - times->longest[outer]};
	size_t first;

	PROF_SEARCH(first, times->items.count, i, compare(&times->items.items[i], &wanted) < 0);
	return first;
}
