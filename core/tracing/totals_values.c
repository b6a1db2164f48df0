/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The values that files and views have of a total. */
#include "tracing/ring.h"
#include "tracing/totals_private.h"

#include <string.h>

/* The value that the time of an OpenMP record of the kind WHAT is. */
static enum prof_traced_value openmp_time(unsigned what)
{
	switch (what) {
	case PROF_RING_OMP_INSIDE:
		return PROF_TRACED_OMP_INSIDE;
	case PROF_RING_OMP_TASK:
		return PROF_TRACED_OMP_TASK;
	case PROF_RING_OMP_LOOP:
	case PROF_RING_OMP_SECTIONS:
	case PROF_RING_OMP_SINGLE:
		return PROF_TRACED_OMP_LOOP;
	case PROF_RING_OMP_EXPLICIT:
		return PROF_TRACED_OMP_EXPLICIT;
	case PROF_RING_OMP_IMPLICIT:
		return PROF_TRACED_OMP_IMPLICIT;
	case PROF_RING_OMP_CRITICAL:
		return PROF_TRACED_OMP_CRITICAL;
	case PROF_RING_OMP_LOCK:
		return PROF_TRACED_OMP_LOCK;
	default:
		return PROF_TRACED_OMP_TASKWAIT;
	}
}

/* Fills in the VALUES of TOTAL, which is of OpenMP. */
static void openmp_values(const struct prof_total *total, uint64_t values[PROF_TRACED_VALUES])
{
	values[openmp_time(total->what)] = total->span;
	switch (total->what) {
	case PROF_RING_OMP_INSIDE:
		values[PROF_TRACED_OMP_REGIONS] = total->events;
		values[PROF_TRACED_OMP_IMPLICIT] = total->waited;
		break;
	case PROF_RING_OMP_TASK:
		values[PROF_TRACED_OMP_TASKS] = total->events;
		break;
	case PROF_RING_OMP_LOOP:
		values[PROF_TRACED_OMP_LOOPS] = total->events;
		break;
	case PROF_RING_OMP_SECTIONS:
		values[PROF_TRACED_OMP_SECTIONS] = total->events;
		break;
	case PROF_RING_OMP_SINGLE:
		values[PROF_TRACED_OMP_SINGLES] = total->events;
		break;
	default:
		break;
	}
	if (prof_ring_omp_is_loop(total->what))
		values[PROF_TRACED_OMP_LOOP_WAIT] = total->waited;
}

void prof_totals_values(const struct prof_totals *totals, const struct prof_total *total,
	uint64_t values[PROF_TRACED_VALUES])
{
	memset(values, 0, PROF_TRACED_VALUES * sizeof *values);
	switch ((enum prof_ring_kind)total->kind) {
	case PROF_RING_WAIT:
		values[PROF_TRACED_DELAYS] = total->events;
		values[PROF_TRACED_WAITED] = total->span;
		break;
	case PROF_RING_CALL:
		values[PROF_TRACED_CALLS] = total->events;
		values[PROF_TRACED_INSIDE] = total->span;
		break;
	case PROF_RING_MPI:
		values[PROF_TRACED_MPI_TIME] = total->span;
		values[PROF_TRACED_MPI_SENDS] = total->sends;
		values[PROF_TRACED_MPI_SENT] = total->sent;
		values[PROF_TRACED_MPI_RECEIVES] = total->receives;
		values[PROF_TRACED_MPI_RECEIVED] = total->received;
		values[PROF_TRACED_MPI_OTHER] = total->events;
		break;
	case PROF_RING_OMP:
		openmp_values(total, values);
		break;
	default:
		values[PROF_TRACED_ALLOCATIONS] = total->allocations;
		values[PROF_TRACED_BYTES] = total->bytes;
		values[PROF_TRACED_LEAKS] = total->blocks;
		values[PROF_TRACED_LEAKED] = total->left;
		values[PROF_TRACED_PEAK] = prof_totals_peak(totals, total);
		values[PROF_TRACED_TEMPORARY] = total->temporary;
	}
}
