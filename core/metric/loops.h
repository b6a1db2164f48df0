/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops and other code that the threads of a parallel region share out: the time in them. */
#ifndef PROF_METRIC_LOOPS_H
#define PROF_METRIC_LOOPS_H

#include "base/error.h"
#include "base/value.h"
#include "parallel/openmp_calls.h"

#include <stdbool.h>

struct prof_experiment;
struct prof_progress;
struct prof_selection;

/* What is added up of one of them, at one place in one region. */
struct prof_loop_sum {
	uint32_t region;            /* among the experiment's region_rows */
	uint32_t function;          /* that has it */
	uint32_t file, line;        /* string, and line of it; 0 if not known */
	enum prof_shared_code code; /* of what kind it is */
	bool traced;
	uint32_t threads;     /* that were met in it, or traced */
	uint64_t instances;   /* if it was traced */
	prof_value work;      /* ns of all threads, without waits, if it was traced */
	prof_value wait;      /* ns of all threads; if it was not traced, in calls of the runtime */
	prof_value most, all; /* ns of the thread with most work, and of all, if it was traced */
};

/* By region, those of one in the order of their time; all zeroes is none. */
struct prof_loop_sums {
	PROF_ARRAY(struct prof_loop_sum) items;
};

/*
 * Adds up the loops of EXPERIMENT, one with user stacks (parallel/user_stacks.h), in the samples of
 * SELECTION, or in all if it is NULL.  If no loop was traced, they are those whose calls of the
 * runtime samples have met.
 */
struct prof_error *prof_loop_sums_init(struct prof_loop_sums *sums,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Frees what SUMS holds. */
void prof_loop_sums_deinit(struct prof_loop_sums *sums);
#define AUTO_LOOP_SUMS PROF_AUTO(prof_loop_sums_deinit)

#endif
