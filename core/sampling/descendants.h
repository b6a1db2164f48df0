/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Descendants: gdbprof samples the processes that a program makes, and those that these make, until
 * they end.  The debugger need not know them: the kernel samples them, and nothing is stopped.
 *
 * A thread of the core's own reads the samples.  All functions may be called from any thread.
 */
#ifndef PROF_SAMPLING_DESCENDANTS_H
#define PROF_SAMPLING_DESCENDANTS_H

#include "sampling/perf_event.h"

#include <sys/types.h>

struct prof_queue;

struct prof_descendants;

struct prof_descendants_options {
	double rate; /* Hz */
	enum prof_perf_scope scope;
	bool kernel;              /* stacks have the kernel's functions */
	bool wall;                /* waits are samples too */
	size_t max_depth;         /* frames */
	struct prof_queue *queue; /* gets looks, names, mappings and figures; borrowed */
};

/* If the kernel refuses something, the error names it. */
struct prof_error *prof_descendants_create(const struct prof_descendants_options *options,
	struct prof_descendants **ret) PROF_MUST_CHECK;

/* Reports what there is, and frees DESCENDANTS.  NULL is fine. */
void prof_descendants_destroy(struct prof_descendants *descendants);

/*
 * PROCESS, which stands still, is sampled by somebody else from now on; its children, old and new,
 * are sampled here.
 */
struct prof_error *prof_descendants_add(
	struct prof_descendants *descendants, pid_t process) PROF_MUST_CHECK;

/*
 * Samples PROCESS and its children, old and new, unless PROCESS is sampled already.  The error says
 * that there is no such process, or what the kernel refuses.
 */
struct prof_error *prof_descendants_follow(
	struct prof_descendants *descendants, pid_t process) PROF_MUST_CHECK;

/*
 * Samples the processes of the control group FOLDER with their children, and those that join it
 * later, unless they are sampled already.  If the kernel refuses something, the error names it.
 */
struct prof_error *prof_descendants_follow_group(
	struct prof_descendants *descendants, const char *folder) PROF_MUST_CHECK;

/* PROCESS is sampled by somebody else from now on; what it makes is sampled as before. */
void prof_descendants_leave_out(struct prof_descendants *descendants, pid_t process);

/* While it is PAUSED there are no samples. */
void prof_descendants_pause(struct prof_descendants *descendants, bool paused);

/* Reports what there is until now. */
void prof_descendants_report_processes(struct prof_descendants *descendants);

/* The figures of the sampling. */
struct prof_descendants_figures {
	bool of_cpus;       /* see prof_family_events_of_cpus() */
	unsigned long cut;  /* stacks that are larger than what the kernel copies */
	unsigned long lost; /* records that the kernel had no room for */
	int64_t unsampled;  /* ns of CPU time of threads that ended before their first sample, or
			       since their last one */
	int64_t unseen;     /* ns of waits whose cause is not known */
	size_t living;      /* processes that go on */
	size_t refused;     /* processes of the group that could not be sampled, at one time */
};

/* The figures now: all but `living` are sums since the beginning. */
struct prof_descendants_figures prof_descendants_figures(struct prof_descendants *descendants);

#endif
