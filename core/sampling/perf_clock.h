/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A thread's CPU time at a sample, by the count of its event.
 *
 * The two differ a little: the count leaves out the time of switching threads, and includes that of
 * interrupts and, in a virtual machine, what the host takes away.  The kernel accounts neither to
 * the thread; but its account of a thread on a CPU is as old as the last timer interrupt, and that
 * of a thread on none comes between samples.  So the clock is set whenever a thread is on no CPU,
 * and their difference then holds until the next time.
 */
#ifndef PROF_SAMPLING_PERF_CLOCK_H
#define PROF_SAMPLING_PERF_CLOCK_H

#include "target/procfs.h"

#include <stdbool.h>
#include <stdint.h>

/* A moment of which both were known.  All in ns. */
struct prof_perf_clock {
	int64_t run;     /* schedstat's */
	int64_t count;   /* the event's */
	uint64_t slices; /* schedstat's */
	bool sure;       /* the thread was on no CPU then, so that run was up to date */
};

/* How they differ, for all threads of a process.  Zeroes: nothing is known yet. */
struct prof_perf_drift {
	double run, count; /* ns between such moments, of late */
	double slices;     /* how often threads were given a CPU between them */
};

/* The CPU time when the event's count was COUNT. */
int64_t prof_perf_clock_at(
	const struct prof_perf_clock *clock, const struct prof_perf_drift *drift, int64_t count);

/*
 * *RET gets the ns of CPU time that the count leaves out when a thread is given a CPU, on average;
 * 0 also where the count includes more.  False: that is not known yet, or no longer.
 */
bool prof_perf_drift_of_slice(const struct prof_perf_drift *drift, double *ret);

/* The thread is on no CPU, and has SCHEDSTAT when the event's count is COUNT. */
void prof_perf_clock_set(struct prof_perf_clock *clock, struct prof_perf_drift *drift,
	const struct prof_schedstat *schedstat, int64_t count);

/* It is on a CPU, and had RUN at the last timer interrupt, before the event's count was COUNT. */
void prof_perf_clock_bound(struct prof_perf_clock *clock, const struct prof_perf_drift *drift,
	int64_t run, int64_t count);

#endif
