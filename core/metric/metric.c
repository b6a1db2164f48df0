/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/metric.h"

#include <stdlib.h>
#include <string.h>

#define SPENT(state) (1 << (PROF_QUANTITY_SPENT + (state)))
#define EVENT(number) (1 << (PROF_QUANTITY_EVENT + (number)))
#define TRACED(value) (1 << (PROF_QUANTITY_TRACED + PROF_TRACED_##value))

enum {
	SAMPLES = 1 << PROF_QUANTITY_SAMPLES,
	CPU = SPENT(PROF_STATE_USER) | SPENT(PROF_STATE_SYSTEM),
	FAULT = SPENT(PROF_STATE_FAULT) | SPENT(PROF_STATE_TEXT),
	ALL_SPENT = SPENT(PROF_STATES) - SPENT(0),
	NS_PER_SECOND = 1000000000,
};

const struct prof_metric prof_metrics[] = {
	{"samples", "Samples", "samples", 1, -1, SAMPLES, false, 0},
	{"cpu", "CPU time", "sec.", NS_PER_SECOND, 3, CPU, false, 0},
	{"wall", "Thread time", "sec.", NS_PER_SECOND, 3, ALL_SPENT, false, 0},
	{"wallclock", "Wall clock time", "sec.", NS_PER_SECOND, 3, ALL_SPENT, true, 0},
	{"user", "User CPU time", "sec.", NS_PER_SECOND, 3, SPENT(PROF_STATE_USER), false, 0},
	{"system", "System CPU time", "sec.", NS_PER_SECOND, 3, SPENT(PROF_STATE_SYSTEM), false, 0},
	{"runqueue", "Wait for a CPU", "sec.", NS_PER_SECOND, 3, SPENT(PROF_STATE_RUNQUEUE), false,
		0},
	{"lock", "Wait for a lock", "sec.", NS_PER_SECOND, 3, SPENT(PROF_STATE_LOCK), false, 0},
	{"fault", "Wait for a page", "sec.", NS_PER_SECOND, 3, FAULT, false, 0},
	{"text-fault", "Wait for a page of code", "sec.", NS_PER_SECOND, 3, SPENT(PROF_STATE_TEXT),
		false, 0},
	{"data-fault", "Wait for a page of data", "sec.", NS_PER_SECOND, 3, SPENT(PROF_STATE_FAULT),
		false, 0},
	{"other", "Other wait", "sec.", NS_PER_SECOND, 3, SPENT(PROF_STATE_OTHER), false, 0},
	{"event-1", "Event 1", "samples", 1, -1, EVENT(0), false, 0},
	{"event-2", "Event 2", "samples", 1, -1, EVENT(1), false, 0},
	{"event-3", "Event 3", "samples", 1, -1, EVENT(2), false, 0},
	{"event-4", "Event 4", "samples", 1, -1, EVENT(3), false, 0},
	{"event-5", "Event 5", "samples", 1, -1, EVENT(4), false, 0},
	{"event-6", "Event 6", "samples", 1, -1, EVENT(5), false, 0},
	{"event-7", "Event 7", "samples", 1, -1, EVENT(6), false, 0},
	{"event-8", "Event 8", "samples", 1, -1, EVENT(7), false, 0},
	{"allocs", "Allocations", "calls", 1, -1, TRACED(ALLOCATIONS), false, 0},
	{"bytes", "Bytes allocated", "bytes", 1, -1, TRACED(BYTES), false, 0},
	{"leaks", "Leaks", "blocks", 1, -1, TRACED(LEAKS), false, 0},
	{"leaked", "Bytes leaked", "bytes", 1, -1, TRACED(LEAKED), false, 0},
	{"peak", "Bytes at the peak", "bytes", 1, -1, TRACED(PEAK), false, 0},
	{"temporary", "Temporary allocations", "calls", 1, -1, TRACED(TEMPORARY), false, 0},
	{"sync-events", "Sync delay events", "events", 1, -1, TRACED(DELAYS), false, 0},
	{"sync-wait", "Sync wait time", "sec.", NS_PER_SECOND, 3, TRACED(WAITED), false, 0},
	{"calls", "Traced calls", "calls", 1, -1, TRACED(CALLS), false, 0},
	{"inside", "Time in traced calls", "sec.", NS_PER_SECOND, 3, TRACED(INSIDE), false, 0},
	{"", NULL, NULL, 1, -1, 0, false, 0},
};

const char *prof_metric_word(size_t index)
{
	return *prof_metrics[index].name ? prof_metrics[index].name : NULL;
}

bool prof_metric_is_samples(const struct prof_metric *metric)
{
	return metric->quantities == SAMPLES;
}

bool prof_metric_is_traced(const struct prof_metric *metric)
{
	return metric->quantities >> PROF_QUANTITY_TRACED;
}

bool prof_metric_is_event(const struct prof_metric *metric, uint32_t *ret)
{
	for (*ret = 0; *ret < PROF_EVENTS; ++*ret) {
		if (metric->quantities & 1U << (PROF_QUANTITY_EVENT + *ret))
			return true;
	}
	return false;
}

bool prof_metric_counts(const struct prof_metric *metric, const struct prof_experiment *experiment,
	const struct prof_sample_row *row)
{
	return !metric->main || prof_experiment_is_main(experiment, row->sample.thread);
}

prof_value prof_metric_convert(const struct prof_metric *metric, prof_value value)
{
	return metric->clock ? prof_value_scale(value, NS_PER_SECOND, metric->clock) : value;
}

prof_value prof_metric_of(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const struct prof_sample_row *row)
{
	prof_value value = 0;

	if (!prof_selection_has(selection, row->number) ||
		!prof_metric_counts(metric, experiment, row))
		return 0;
	for (uint32_t left = row->has & metric->quantities; left; left &= left - 1) {
		int quantity = __builtin_ctz(left);
		if (prof_selection_counts(selection, row, (enum prof_quantity)quantity))
			value += prof_metric_convert(metric, row->values[quantity]);
	}
	return value;
}

/* What values are added up for: the number that each sample has of it. */
typedef uint32_t key_of(const struct prof_sample_row *row, const uint32_t *groups);

static uint32_t path_of(const struct prof_sample_row *row, const uint32_t *groups)
{
	(void)groups;
	return row->sample.path;
}

static uint32_t thread_of(const struct prof_sample_row *row, const uint32_t *groups)
{
	(void)groups;
	return row->sample.thread;
}

static uint32_t group_of(const struct prof_sample_row *row, const uint32_t *groups)
{
	return groups[row->number];
}

enum { PENDING = 16 };

/* The last values that are to be added, each to that of a key: what waits is fetched meanwhile. */
struct pending {
	unsigned next;
	struct {
		uint32_t key;
		prof_value value;
	} items[PENDING];
};

/* Has VALUE be added to that of KEY; where there are many keys, memory is slower than all else. */
static void post(struct pending *pending, prof_value *values, uint32_t key, prof_value value)
{
	unsigned place = pending->next++ % PENDING;

	values[pending->items[place].key] += pending->items[place].value;
	pending->items[place].key = key;
	pending->items[place].value = value;
	__builtin_prefetch(&values[key], 1);
}

/* The values in a new array of COUNT, one for each KEY. */
static struct prof_error *add_up(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection, key_of *key,
	const uint32_t *groups, size_t count, const struct prof_progress *progress,
	prof_value **ret)
{
	AUTO_FREE prof_value *values = calloc(count + 1, sizeof *values);
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment,
		.blocks = prof_selection_blocks(selection),
		.progress = progress,
		.doing = "Adding up samples"};

	struct pending pending = {0};

	if (!values)
		return prof_error_nomem();
	while (prof_cursor_next(&rows)) {
		prof_value value = prof_metric_of(experiment, metric, selection, &rows.row);
		if (value)
			post(&pending, values, key(&rows.row, groups), value);
	}
	for (unsigned i = 0; i < PENDING; i++)
		post(&pending, values, 0, 0);
	struct prof_error *error = prof_cursor_error(&rows);
	if (!error)
		*ret = steal(&values);
	return error;
}

struct prof_error *prof_metric_by_path(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const struct prof_progress *progress, prof_value **ret)
{
	return add_up(experiment, metric, selection, path_of, NULL, experiment->paths.count,
		progress, ret);
}

struct prof_error *prof_metric_by_thread(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const struct prof_progress *progress, prof_value **ret)
{
	return add_up(experiment, metric, selection, thread_of, NULL, experiment->threads.count,
		progress, ret);
}

struct prof_error *prof_metric_by_group(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const uint32_t *groups, size_t count, const struct prof_progress *progress,
	prof_value **ret)
{
	return add_up(experiment, metric, selection, group_of, groups, count, progress, ret);
}
