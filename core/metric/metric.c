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

bool prof_metric_counts(
	const struct prof_metric *metric, const struct prof_experiment *experiment, size_t sample)
{
	return !metric->main ||
		prof_experiment_is_main(experiment, experiment->samples.items[sample].thread);
}

prof_value prof_metric_convert(const struct prof_metric *metric, prof_value value)
{
	return metric->clock ? prof_value_scale(value, NS_PER_SECOND, metric->clock) : value;
}

/* What values are added up for: the number that each sample has of it. */
typedef uint32_t key_of(
	const struct prof_experiment *experiment, const uint32_t *groups, size_t sample);

static uint32_t path_of(
	const struct prof_experiment *experiment, const uint32_t *groups, size_t sample)
{
	(void)groups;
	return experiment->samples.items[sample].path;
}

static uint32_t thread_of(
	const struct prof_experiment *experiment, const uint32_t *groups, size_t sample)
{
	(void)groups;
	return experiment->samples.items[sample].thread;
}

static uint32_t group_of(
	const struct prof_experiment *experiment, const uint32_t *groups, size_t sample)
{
	(void)experiment;
	return groups[sample];
}

/* Adds QUANTITY of each sample of SELECTION to the value of its KEY in VALUES. */
static struct prof_error *add_quantity(const struct prof_experiment *experiment,
	const struct prof_metric *metric, enum prof_quantity quantity,
	const struct prof_selection *selection, key_of *key, const uint32_t *groups,
	const struct prof_progress *progress, prof_value *values)
{
	const prof_value *carried = experiment->quantities[quantity].items;
	size_t count = experiment->quantities[quantity].count;

	for (size_t i = 0; i < count; i++) {
		if (i % PROF_PROGRESS_STEP == 0) {
			struct prof_error *error =
				prof_progress_report(progress, "Adding up samples", i, count);
			if (error)
				return error;
		}
		if (prof_selection_has(selection, i) &&
			prof_selection_counts(selection, experiment, quantity, i) &&
			prof_metric_counts(metric, experiment, i))
			values[key(experiment, groups, i)] +=
				prof_metric_convert(metric, carried[i]);
	}
	return NULL;
}

/* The values in a new array of COUNT, one for each KEY. */
static struct prof_error *add_up(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection, key_of *key,
	const uint32_t *groups, size_t count, const struct prof_progress *progress,
	prof_value **ret)
{
	AUTO_FREE prof_value *values = calloc(count + 1, sizeof *values);

	if (!values)
		return prof_error_nomem();
	for (int quantity = 0; quantity < PROF_QUANTITIES; quantity++) {
		if (!(metric->quantities & 1U << quantity))
			continue;
		struct prof_error *error = add_quantity(
			experiment, metric, quantity, selection, key, groups, progress, values);
		if (error)
			return error;
	}
	*ret = steal(&values);
	return NULL;
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

prof_value prof_metric_of(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection, size_t sample)
{
	prof_value value = 0;

	if (!prof_metric_counts(metric, experiment, sample))
		return 0;
	for (int quantity = 0; quantity < PROF_QUANTITIES; quantity++) {
		if (metric->quantities & 1U << quantity)
			value += prof_metric_convert(metric,
				prof_selection_value(selection, experiment, quantity, sample));
	}
	return value;
}
