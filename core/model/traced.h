/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was traced: the values that rows of it have, and what is known of heaps. */
#ifndef PROF_MODEL_TRACED_H
#define PROF_MODEL_TRACED_H

#include "base/value.h"

#include <stdint.h>

/* The values of a row, each 0 or more. */
enum prof_traced_value {
	PROF_TRACED_ALLOCATIONS,
	PROF_TRACED_BYTES,     /* allocated */
	PROF_TRACED_LEAKS,     /* blocks of those that are not freed */
	PROF_TRACED_LEAKED,    /* bytes of them */
	PROF_TRACED_PEAK,      /* bytes of those that were not freed when memory was at its peak */
	PROF_TRACED_TEMPORARY, /* allocations freed before the thread's next one */
	PROF_TRACED_DELAYS,    /* waits for other threads */
	PROF_TRACED_WAITED,    /* ns in them */
	PROF_TRACED_CALLS,     /* of functions that are traced */
	PROF_TRACED_INSIDE,    /* ns in them */
	/* Of functions of MPI that are traced. */
	PROF_TRACED_MPI_TIME,     /* ns in them */
	PROF_TRACED_MPI_SENDS,    /* point-to-point messages that they have begun to send */
	PROF_TRACED_MPI_SENT,     /* bytes of these */
	PROF_TRACED_MPI_RECEIVES, /* point-to-point messages that they have received */
	PROF_TRACED_MPI_RECEIVED, /* bytes of these */
	PROF_TRACED_MPI_OTHER,    /* calls that have done neither */
	/* Of OpenMP that is traced. */
	PROF_TRACED_OMP_REGIONS,  /* instances of parallel regions */
	PROF_TRACED_OMP_INSIDE,   /* ns of threads in them, without regions nested in these */
	PROF_TRACED_OMP_EXPLICIT, /* ns at barriers that the program has asked for */
	PROF_TRACED_OMP_IMPLICIT, /* ns at those at the end of regions, and of code shared out */
	PROF_TRACED_OMP_CRITICAL, /* ns before critical sections */
	PROF_TRACED_OMP_LOCK,     /* ns before locks, ordered sections and atomic operations */
	PROF_TRACED_OMP_TASKWAIT, /* ns in waits for tasks, without tasks executed meanwhile */
	PROF_TRACED_OMP_TASKS,    /* tasks that were executed, where they were created */
	PROF_TRACED_OMP_TASK,     /* ns in them, without other tasks executed meanwhile */
	/* Of loops and other code that is shared out among the threads of a region. */
	PROF_TRACED_OMP_LOOPS,     /* instances of loops */
	PROF_TRACED_OMP_SECTIONS,  /* of sections */
	PROF_TRACED_OMP_SINGLES,   /* of `single` */
	PROF_TRACED_OMP_LOOP,      /* ns in any of them, without waits and nested regions */
	PROF_TRACED_OMP_LOOP_WAIT, /* ns in waits in them, and at barriers at their ends */
	PROF_TRACED_VALUES,
};

enum {
	PROF_TRACED_OMP_FIRST = PROF_TRACED_OMP_REGIONS,
	PROF_TRACED_OMP_LAST = PROF_TRACED_OMP_TASK,
	PROF_TRACED_LOOP_FIRST = PROF_TRACED_OMP_LOOPS,
	PROF_TRACED_LOOP_LAST = PROF_TRACED_OMP_LOOP_WAIT,
};

/* The words for them. */
extern const char *const prof_traced_names[PROF_TRACED_VALUES];

/* What the values of an argument add up to, in its own units; each within PROF_ARGUMENT_MOST of 0.
 */
struct prof_argument_sum {
	prof_value sum, least, most;
};

#define PROF_ARGUMENT_MOST prof_value_of(INT64_MAX / 2)

/* Statistics by size: classes of sizes, of which CLASS begins at prof_heap_class(CLASS) bytes. */
enum { PROF_HEAP_CLASSES = 14 };

/* What is known of a process's heap as a whole. */
struct prof_heap {
	int64_t peak;      /* bytes: the most that were not freed at a time */
	int64_t peak_time; /* ns of CLOCK_MONOTONIC; in struct prof_heap_of since the start */
	int64_t unmatched; /* frees of what was allocated unseen */
	/* Sizes in bytes; of leaks as they are now.  Without any, the smallest is -1. */
	int64_t smallest, largest, leak_smallest, leak_largest;
	int64_t allocations[PROF_HEAP_CLASSES], leaks[PROF_HEAP_CLASSES]; /* by class: how many */
};

/* The first size of CLASS; of PROF_HEAP_CLASSES, UINT64_MAX. */
static inline uint64_t prof_heap_class(unsigned class)
{
	static const uint64_t first[PROF_HEAP_CLASSES] = {
		0,
		1 << 10,
		8 << 10,
		32 << 10,
		128 << 10,
		256 << 10,
		512 << 10,
		1000 << 10,
		10 << 20,
		100 << 20,
		1 << 30,
		UINT64_C(10) << 30,
		UINT64_C(100) << 30,
		UINT64_C(1) << 40,
	};

	return class < PROF_HEAP_CLASSES ? first[class] : UINT64_MAX;
}

#endif
