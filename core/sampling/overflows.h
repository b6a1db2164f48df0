/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The overflows of counters: each INTERVAL events of a counter the kernel samples the thread that
 * has caused the last one.  No thread is stopped.
 *
 * Threads inherit the counters of the one that has made them, so none comes too late.  As the
 * kernel has no rings for inherited events of a thread, there is one for each counter and CPU,
 * which a thread of the core's own empties.
 */
#ifndef PROF_SAMPLING_OVERFLOWS_H
#define PROF_SAMPLING_OVERFLOWS_H

#include "sampling/perf_event.h"

#include <sys/types.h>

struct prof_counters;
struct prof_displaced;
struct prof_queue;
struct prof_walker;

struct prof_overflows;

struct prof_overflows_options {
	pid_t process;
	const struct prof_counters *counters; /* borrowed */
	enum prof_perf_scope scope;
	bool names;                 /* nobody else reports the names of threads */
	struct prof_walker *walker; /* borrowed */
	/* Where the host has threads execute instructions of breakpoints; borrowed, or NULL. */
	struct prof_displaced *displaced;
	struct prof_queue
		*queue; /* borrowed: gets looks, names, and what PROF_MESSAGE_OVERFLOWS says */
};

/*
 * Counts, on hold, for all threads of the process, which stand still, and all that they make.  If
 * the kernel refuses something, the error names it.
 */
struct prof_error *prof_overflows_create(
	const struct prof_overflows_options *options, struct prof_overflows **ret) PROF_MUST_CHECK;

/* Puts what is in the rings into the queue first.  NULL is fine. */
void prof_overflows_destroy(struct prof_overflows *overflows);

/*
 * The process goes on, or has come to stand still: its events count in between.  hold() reports
 * all.
 */
void prof_overflows_release(struct prof_overflows *overflows);
void prof_overflows_hold(struct prof_overflows *overflows);

/* Reports what there is until now. */
void prof_overflows_report(struct prof_overflows *overflows);

/* How many stacks were larger than what the kernel copies of them. */
unsigned long prof_overflows_cut(const struct prof_overflows *overflows);

#endif
