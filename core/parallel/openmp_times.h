/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * When regions were open, by the samples of the threads that have opened them.
 *
 * A sample stands for the time since the one before of its thread: that is its span.
 */
#ifndef PROF_PARALLEL_OPENMP_TIMES_H
#define PROF_PARALLEL_OPENMP_TIMES_H

#include "base/progress.h"

struct prof_experiment;
struct prof_openmp_stacks;
struct prof_sample_row;

/* A stretch of time in which a region was open. */
struct prof_openmp_time {
	int64_t process;    /* whose thread has opened it: see prof_openmp_process() */
	int64_t begin, end; /* ns since the experiment's start */
	uint32_t opener;    /* the path that has opened it */
	bool outer;         /* it is in no other region of the same thread */
};

/* By process, those that are in others first, and by begin; all zeroes is none. */
struct prof_openmp_times {
	PROF_ARRAY(struct prof_openmp_time) items;
	int64_t longest[2]; /* ns: no stretch is longer; [1]: none that is OUTER */
};

/* Those of EXPERIMENT, whose stacks STACKS are. */
struct prof_error *prof_openmp_times_init(struct prof_openmp_times *times,
	const struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Frees what TIMES holds. */
void prof_openmp_times_deinit(struct prof_openmp_times *times);
#define AUTO_OPENMP_TIMES PROF_AUTO(prof_openmp_times_deinit)

/*
 * A number for the process that THREAD is of: those of several machines, which are ranks of one
 * job, may have the same id.
 */
int64_t prof_openmp_process(const struct prof_experiment *experiment, uint32_t thread);

/* When ROW's span begins, in ns: it ends at its time. */
int64_t prof_openmp_begin(const struct prof_sample_row *row);

/*
 * The first of TIMES of PROCESS, of those that are OUTER or of the others, that may have any of the
 * time from BEGIN on: its number.
 */
size_t prof_openmp_times_first(
	const struct prof_openmp_times *times, int64_t process, bool outer, int64_t begin);

#endif
