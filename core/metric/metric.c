/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/metric.h"

#include "base/time_unit.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "parallel/class.h"

#include <stdlib.h>
#include <string.h>

#define SPENT(state) PROF_QUANTITY_BIT(PROF_QUANTITY_SPENT + (state))
#define EVENT(number) PROF_QUANTITY_BIT(PROF_QUANTITY_EVENT + (number))
#define TRACED(value) PROF_QUANTITY_BIT(PROF_QUANTITY_TRACED + PROF_TRACED_##value)

#define SAMPLES PROF_QUANTITY_BIT(PROF_QUANTITY_SAMPLES)
#define CPU (SPENT(PROF_STATE_USER) | SPENT(PROF_STATE_SYSTEM))
#define FAULT (SPENT(PROF_STATE_FAULT) | SPENT(PROF_STATE_TEXT))
#define ALL_SPENT (SPENT(PROF_STATES) - SPENT(0))
#define OFF_CPU (ALL_SPENT & ~CPU)

/* Rows for counts, for times in ns, and (SHARED) for times by classes of stacks. */
#define COUNT(name_, title_, unit_, quantities_)                                           \
	{                                                                                  \
		.name = name_, .title = title_, .unit = (unit_), .units = 1, .places = -1, \
		.quantities = (quantities_)                                                \
	}
#define TIMED(name_, title_, quantities_)                                                         \
	.name = name_, .title = title_, .unit = "sec.", .units = PROF_NS_PER_SECOND, .places = 3, \
	.quantities = (quantities_)
#define TIME(name, title, quantities)          \
	{                                      \
		TIMED(name, title, quantities) \
	}
#define SHARED(name, title, quantities, ...)                              \
	{                                                                 \
		TIMED(name, title, quantities), .shares = { __VA_ARGS__ } \
	}

const struct prof_metric prof_metrics[] = {
	COUNT("samples", "Samples", "samples", SAMPLES),
	TIME("cpu", "CPU time", CPU),
	TIME("wall", "Thread time", ALL_SPENT),
	{TIMED("wallclock", "Wall clock time", ALL_SPENT), .main = true},
	TIME("user", "User CPU time", SPENT(PROF_STATE_USER)),
	TIME("system", "System CPU time", SPENT(PROF_STATE_SYSTEM)),
	TIME("runqueue", "Wait for a CPU", SPENT(PROF_STATE_RUNQUEUE)),
	TIME("lock", "Wait for a lock", SPENT(PROF_STATE_LOCK)),
	TIME("fault", "Wait for a page", FAULT),
	TIME("text-fault", "Wait for a page of code", SPENT(PROF_STATE_TEXT)),
	TIME("data-fault", "Wait for a page of data", SPENT(PROF_STATE_FAULT)),
	TIME("other", "Other wait", SPENT(PROF_STATE_OTHER)),
	SHARED("omp-work", "OpenMP work", CPU, {PROF_CLASS_OMP_WORK, CPU}),
	SHARED("omp-wait", "OpenMP wait", ALL_SPENT, {PROF_CLASS_OMP_WORK, OFF_CPU},
		{PROF_CLASS_OMP_WAIT, ALL_SPENT}),
	SHARED("omp-idle", "OpenMP idle", ALL_SPENT, {PROF_CLASS_OMP_IDLE, ALL_SPENT}),
	SHARED("omp-serial", "OpenMP serial", ALL_SPENT, {PROF_CLASS_OMP_SERIAL, ALL_SPENT}),
	SHARED("mpi-work", "MPI work", CPU, {PROF_CLASS_MPI_WORK, CPU}),
	SHARED("mpi-wait", "MPI wait", CPU, {PROF_CLASS_MPI_WAIT, CPU}),
	COUNT("event-1", "Event 1", "samples", EVENT(0)),
	COUNT("event-2", "Event 2", "samples", EVENT(1)),
	COUNT("event-3", "Event 3", "samples", EVENT(2)),
	COUNT("event-4", "Event 4", "samples", EVENT(3)),
	COUNT("event-5", "Event 5", "samples", EVENT(4)),
	COUNT("event-6", "Event 6", "samples", EVENT(5)),
	COUNT("event-7", "Event 7", "samples", EVENT(6)),
	COUNT("event-8", "Event 8", "samples", EVENT(7)),
	COUNT("allocs", "Allocations", "calls", TRACED(ALLOCATIONS)),
	COUNT("bytes", "Bytes allocated", "bytes", TRACED(BYTES)),
	COUNT("leaks", "Leaks", "blocks", TRACED(LEAKS)),
	COUNT("leaked", "Bytes leaked", "bytes", TRACED(LEAKED)),
	COUNT("peak", "Bytes at the peak", "bytes", TRACED(PEAK)),
	COUNT("temporary", "Temporary allocations", "calls", TRACED(TEMPORARY)),
	COUNT("sync-events", "Sync delay events", "events", TRACED(DELAYS)),
	TIME("sync-wait", "Sync wait time", TRACED(WAITED)),
	COUNT("calls", "Traced calls", "calls", TRACED(CALLS)),
	TIME("inside", "Time in traced calls", TRACED(INSIDE)),
	TIME("mpi-time", "MPI time", TRACED(MPI_TIME)),
	COUNT("mpi-sends", "MPI sends", "messages", TRACED(MPI_SENDS)),
	COUNT("mpi-sent", "MPI bytes sent", "bytes", TRACED(MPI_SENT)),
	COUNT("mpi-receives", "MPI receives", "messages", TRACED(MPI_RECEIVES)),
	COUNT("mpi-received", "MPI bytes received", "bytes", TRACED(MPI_RECEIVED)),
	COUNT("mpi-other", "Other MPI events", "calls", TRACED(MPI_OTHER)),
	COUNT("omp-regions", "OpenMP regions", "regions", TRACED(OMP_REGIONS)),
	TIME("omp-inside", "OpenMP time in regions", TRACED(OMP_INSIDE)),
	TIME("omp-explicit", "OpenMP explicit barriers", TRACED(OMP_EXPLICIT)),
	TIME("omp-implicit", "OpenMP implicit barriers", TRACED(OMP_IMPLICIT)),
	TIME("omp-critical", "OpenMP critical sections", TRACED(OMP_CRITICAL)),
	TIME("omp-lock", "OpenMP locks", TRACED(OMP_LOCK)),
	TIME("omp-taskwait", "OpenMP waits for tasks", TRACED(OMP_TASKWAIT)),
	COUNT("omp-tasks", "OpenMP tasks", "tasks", TRACED(OMP_TASKS)),
	TIME("omp-task", "OpenMP time in tasks", TRACED(OMP_TASK)),
	COUNT("omp-loops", "OpenMP loops", "loops", TRACED(OMP_LOOPS)),
	COUNT("omp-sections", "OpenMP sections", "sections", TRACED(OMP_SECTIONS)),
	COUNT("omp-singles", "OpenMP singles", "singles", TRACED(OMP_SINGLES)),
	TIME("omp-loop", "OpenMP time in loops", TRACED(OMP_LOOP)),
	TIME("omp-loop-wait", "OpenMP waits in loops", TRACED(OMP_LOOP_WAIT)),
	{.units = 1, .places = -1},
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
		if (metric->quantities & EVENT(*ret))
			return true;
	}
	return false;
}

bool prof_metric_has_shares(const struct prof_metric *metric)
{
	return metric->shares[0].classes;
}

prof_quantities prof_metric_counts(const struct prof_metric *metric,
	const struct prof_experiment *experiment, const struct prof_sample_row *row)
{
	prof_quantities quantities = 0;

	if (metric->main && !prof_experiment_is_main(experiment, row->sample.thread))
		return 0;
	if (!prof_metric_has_shares(metric))
		return row->has & metric->quantities;
	unsigned classes = prof_experiment_classes(experiment, row->sample.path);
	for (int i = 0; i < PROF_METRIC_SHARES; i++) {
		if (metric->shares[i].classes & classes)
			quantities |= metric->shares[i].quantities;
	}
	return row->has & quantities;
}

prof_value prof_metric_convert(const struct prof_metric *metric, prof_value value)
{
	return metric->clock ? prof_value_scale(value, PROF_NS_PER_SECOND, metric->clock) : value;
}

prof_value prof_metric_of(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const struct prof_sample_row *row)
{
	prof_value value = 0;

	if (!prof_selection_has(selection, row->number))
		return 0;
	for (prof_quantities left = prof_metric_counts(metric, experiment, row); left;
		left &= left - 1) {
		int quantity = __builtin_ctzll(left);
		if (prof_selection_counts(selection, row, (enum prof_quantity)quantity))
			value += prof_metric_convert(metric, row->values[quantity]);
	}
	return value;
}

/* The numbers by which values are added up: one of each sample. */
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

/* Pending additions: the memory that they change is prefetched meanwhile. */
struct pending {
	unsigned next;
	struct {
		uint32_t key;
		prof_value value;
	} items[PENDING];
};

/* Adds VALUE to KEY.  With many keys, memory takes longer than everything else. */
static void post(struct pending *pending, prof_value *values, uint32_t key, prof_value value)
{
	unsigned place = pending->next++ % PENDING;

	values[pending->items[place].key] += pending->items[place].value;
	pending->items[place].key = key;
	pending->items[place].value = value;
	__builtin_prefetch(&values[key], 1);
}

/* The sums in a new array of COUNT, by KEY. */
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
