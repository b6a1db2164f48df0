/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables of an experiment that hold what was traced. */
#include "model/experiment.h"

#include <assert.h>
#include <string.h>

const char *const prof_traced_names[PROF_TRACED_VALUES] = {
	[PROF_TRACED_ALLOCATIONS] = "allocations",
	[PROF_TRACED_BYTES] = "bytes",
	[PROF_TRACED_LEAKS] = "leaks",
	[PROF_TRACED_LEAKED] = "leaked",
	[PROF_TRACED_PEAK] = "peak",
	[PROF_TRACED_TEMPORARY] = "temporary",
	[PROF_TRACED_DELAYS] = "delays",
	[PROF_TRACED_WAITED] = "waited",
	[PROF_TRACED_CALLS] = "calls",
	[PROF_TRACED_INSIDE] = "inside",
	[PROF_TRACED_MPI_TIME] = "mpi_time",
	[PROF_TRACED_MPI_SENDS] = "mpi_sends",
	[PROF_TRACED_MPI_SENT] = "mpi_sent",
	[PROF_TRACED_MPI_RECEIVES] = "mpi_receives",
	[PROF_TRACED_MPI_RECEIVED] = "mpi_received",
	[PROF_TRACED_MPI_OTHER] = "mpi_other",
	[PROF_TRACED_OMP_REGIONS] = "omp_regions",
	[PROF_TRACED_OMP_INSIDE] = "omp_inside",
	[PROF_TRACED_OMP_EXPLICIT] = "omp_explicit",
	[PROF_TRACED_OMP_IMPLICIT] = "omp_implicit",
	[PROF_TRACED_OMP_CRITICAL] = "omp_critical",
	[PROF_TRACED_OMP_LOCK] = "omp_lock",
	[PROF_TRACED_OMP_TASKWAIT] = "omp_taskwait",
	[PROF_TRACED_OMP_TASKS] = "omp_tasks",
	[PROF_TRACED_OMP_TASK] = "omp_task",
	[PROF_TRACED_OMP_LOOPS] = "omp_loops",
	[PROF_TRACED_OMP_SECTIONS] = "omp_sections",
	[PROF_TRACED_OMP_SINGLES] = "omp_singles",
	[PROF_TRACED_OMP_LOOP] = "omp_loop",
	[PROF_TRACED_OMP_LOOP_WAIT] = "omp_loop_wait",
};

struct prof_error *prof_experiment_object(
	struct prof_experiment *experiment, uint64_t address, uint32_t *ret)
{
	struct prof_object object = {.address = address};
	uint32_t number = prof_map_get(&experiment->object_index, address);

	if (number == PROF_NONE) {
		struct prof_error *error = prof_experiment_string(experiment, "", &object.name);
		if (error)
			return error;
		number = (uint32_t)experiment->objects.count;
		if (!prof_row_changes_cover(
			    &experiment->object_changes, experiment->objects.count + 1))
			return prof_error_nomem();
		struct prof_object *added =
			prof_map_push(&experiment->object_index, address, &experiment->objects);
		if (!added)
			return prof_error_nomem();
		*added = object;
	}
	*ret = number;
	return NULL;
}

struct prof_error *prof_experiment_name_object(
	struct prof_experiment *experiment, uint32_t object, const char *name)
{
	struct prof_object *named = &experiment->objects.items[object];
	struct prof_error *error = prof_experiment_string(experiment, name, &named->name);

	if (error)
		return error;
	named->changed = ++experiment->changes;
	prof_row_changes_note(&experiment->object_changes, object, named->changed);
	return NULL;
}

/* Has ROW any value from FIRST to LAST? */
static bool has_any(const struct prof_traced_row *row, int first, int last)
{
	bool any = false;

	for (int i = first; i <= last; i++)
		any |= row->values[i] != 0;
	return any;
}

/* Notes ROW, the traced row NUMBER, as the last one of MPI or of OpenMP, if it is one. */
static void note_last(
	struct prof_experiment *experiment, size_t number, const struct prof_traced_row *row)
{
	struct prof_traced_rows *rows = &experiment->traced;
	bool mpi =
		row->rank || row->peer || has_any(row, PROF_TRACED_MPI_TIME, PROF_TRACED_MPI_OTHER);

	if (mpi && rows->mpi <= number)
		rows->mpi = number + 1;
	if (has_any(row, PROF_TRACED_OMP_FIRST, PROF_TRACED_LOOP_LAST) && rows->omp <= number)
		rows->omp = number + 1;
	if (has_any(row, PROF_TRACED_LOOP_FIRST, PROF_TRACED_LOOP_LAST) && rows->loops <= number)
		rows->loops = number + 1;
}

struct prof_error *prof_experiment_traced(
	struct prof_experiment *experiment, const struct prof_traced_row *traced)
{
	assert(traced->sample < experiment->samples.count);
	assert(traced->object == PROF_NONE || traced->object < experiment->objects.count);
	assert(traced->holder == PROF_NONE || traced->holder < experiment->threads.count);
	if (!prof_traced_rows_add(&experiment->traced, traced))
		return prof_error_nomem();
	note_last(experiment, experiment->traced.count - 1, traced);
	experiment->calls_traced |= traced->values[PROF_TRACED_CALLS] > 0;
	return NULL;
}

void prof_experiment_traced_values(struct prof_experiment *experiment, uint32_t number,
	const int64_t values[PROF_TRACED_VALUES], int64_t longest)
{
	struct prof_traced_row *traced =
		prof_traced_rows_change(&experiment->traced, number, ++experiment->changes);

	assert(longest >= 0);
	traced->longest = longest;
	for (int i = 0; i < PROF_TRACED_VALUES; i++) {
		assert(values[i] >= 0);
		traced->values[i] = values[i];
	}
	note_last(experiment, number, traced);
	experiment->calls_traced |= values[PROF_TRACED_CALLS] > 0;
}

void prof_experiment_ranks(
	struct prof_experiment *experiment, uint32_t number, int64_t rank, int64_t peer)
{
	struct prof_traced_row *traced =
		prof_traced_rows_change(&experiment->traced, number, ++experiment->changes);

	traced->rank = (uint32_t)(rank + 1);
	traced->peer = (uint32_t)(peer + 1);
	note_last(experiment, number, traced);
}

void prof_experiment_last(struct prof_experiment *experiment, uint32_t number, int64_t last)
{
	prof_traced_rows_change(&experiment->traced, number, ++experiment->changes)->last = last;
}

void prof_experiment_close(struct prof_experiment *experiment, uint32_t number)
{
	prof_traced_rows_close(&experiment->traced, number);
}

struct prof_error *prof_experiment_argument(
	struct prof_experiment *experiment, const struct prof_argument *argument)
{
	size_t count = experiment->arguments.count;

	assert(!count || experiment->arguments.items[count - 1].traced <= argument->traced);
	if (count == PROF_NONE || !prof_array_reserve(&experiment->arguments, 1) ||
		!prof_row_changes_cover(&experiment->argument_changes, count + 1))
		return prof_error_nomem();
	struct prof_traced_row *traced = prof_traced_rows_change(
		&experiment->traced, argument->traced, ++experiment->changes);
	if (!traced->arguments++)
		traced->first_argument = (uint32_t)count;
	experiment->arguments.items[experiment->arguments.count++] = *argument;
	return NULL;
}

void prof_experiment_add_up(
	struct prof_experiment *experiment, uint32_t number, const struct prof_argument_sum *sum)
{
	struct prof_argument *argument = &experiment->arguments.items[number];

	assert(number < experiment->arguments.count);
	argument->sum = *sum;
	prof_traced_rows_change(&experiment->traced, argument->traced, ++experiment->changes);
	prof_row_changes_note(&experiment->argument_changes, number, experiment->changes);
}

struct prof_error *prof_experiment_held(
	struct prof_experiment *experiment, const struct prof_held *held)
{
	assert(held->traced < experiment->traced.count && held->blocks >= 0 && held->bytes >= 0);
	if (!prof_array_reserve(&experiment->held, 1))
		return prof_error_nomem();
	experiment->held.items[experiment->held.count++] = *held;
	return NULL;
}

struct prof_error *prof_experiment_heap(struct prof_experiment *experiment, int64_t process,
	const struct prof_heap *heap, uint32_t *number)
{
	if (*number == PROF_NONE) {
		if (!prof_array_reserve(&experiment->heaps, 1))
			return prof_error_nomem();
		*number = (uint32_t)experiment->heaps.count++;
	}
	experiment->heaps.items[*number] = (struct prof_heap_of){
		.process = process, .heap = *heap, .changed = ++experiment->changes};
	return NULL;
}
