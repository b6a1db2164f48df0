/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a thread knows of the parallel regions, waits and tasks of OpenMP that it is in. */
#ifndef PROF_AGENT_OMP_THREAD_H
#define PROF_AGENT_OMP_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROF_OMP_NESTED = 8,  /* regions, one in the other, that are recorded: no more */
	PROF_OMP_SPANS = 128, /* waits and tasks likewise */
};

/*
 * The part of a thread in a loop, in sections or in `single`, the last one of a region.  Its record
 * is written after the barrier at its end, or when the thread comes to whatever is next.
 */
struct prof_omp_loop {
	unsigned what; /* enum prof_ring_omp; 0: there is none, or its record is written */
	bool counts;   /* it stands for the instance */
	bool ended;
	uint64_t begun;
	uint64_t pauses;         /* those of the ring, then */
	uint64_t created;        /* its stack then, as that of a task */
	uint64_t waited, nested; /* those of the thread and of its part in the region, then; once it
				    has ended, WAITED is the time that it has waited in it */
	uint64_t worked;         /* once it has ended: clock units in it without either */
};

/*
 * The part of a thread in one instance of a region.  Times are time stamps.  The thread that has
 * opened the region reads it once all threads have come to the region's end.
 */
struct prof_omp_share {
	struct prof_omp_share *next; /* of another thread in the same instance */
	const struct prof_omp_thread *owner;
	uint64_t id; /* the kernel's, of the thread */
	uint64_t begun;
	uint64_t arrived;  /* at the barrier at the region's end; 0: it has not, or there is none */
	uint64_t tasks;    /* TASKED of the thread then */
	uint64_t nested;   /* clock units in regions that it has opened meanwhile */
	size_t spans;      /* SPAN_COUNT of the thread when it began */
	const void *place; /* of the region; NULL: it is not known */
	bool first;        /* it is the first thread of the region */
	struct prof_omp_loop loop;
};

/* An instance of a region, in the thread that has opened it. */
struct prof_omp_region {
	struct prof_omp_share *_Atomic shares; /* of all threads that are in it, linked */
	uint64_t begun;
	uint64_t pauses;   /* those of the ring, then */
	const void *place; /* the return address of the call that has opened it */
};

/* A wait, or the execution of a task. */
struct prof_omp_span {
	unsigned what; /* enum prof_ring_omp; 0: it is not recorded */
	uint64_t begun;
	uint64_t pauses; /* those of the ring, then */
	uint64_t tasks;  /* TASKED then */
};

/* All zeroes at first.  The counts go on behind what there is room for. */
struct prof_omp_thread {
	size_t region_count, share_count, span_count;
	uint64_t tasked; /* clock units in tasks, without those that were executed within others */
	uint64_t waited; /* clock units in waits, without tasks executed meanwhile */
	/* The mutex that it asks for.  Not all requests have an end: those that are refused, and
	   those of its owner, have none. */
	struct prof_omp_span mutex;
	struct prof_omp_region regions[PROF_OMP_NESTED];
	struct prof_omp_share shares[PROF_OMP_NESTED];
	struct prof_omp_span spans[PROF_OMP_SPANS];
};

#endif
