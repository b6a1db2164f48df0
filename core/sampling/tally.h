/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The tally: what all processes of a recording have used since it began, or since they came.
 *
 * The kernel keeps the figures of a process as long as it is there, and the context switches of a
 * thread as long as that is.  The tally keeps what it has seen of those that are gone, so that no
 * sum ever goes down; what a thread or process did between the last look at it and its end is
 * missing, unless somebody reports its end before it is waited for.
 */
#ifndef PROF_SAMPLING_TALLY_H
#define PROF_SAMPLING_TALLY_H

#include "base/memory.h"
#include "sampling/usage.h"

struct prof_tally_thread {
	pid_t id;                            /* the kernel's */
	struct prof_usage_switches switches; /* when they were looked at last */
};

struct prof_tally_process {
	pid_t process;
	bool readable; /* it is one of this machine, whose figures can be read */
	bool ended;
	struct prof_usage base; /* when it came: growing figures are counted from there on */
	struct prof_usage last; /* when it was looked at last */
	PROF_ARRAY(struct prof_tally_thread) threads; /* by id */
	struct prof_usage_switches gone;              /* of threads that have ended */
};

/* All zeroes: no process, nothing used. */
struct prof_tally {
	PROF_ARRAY(struct prof_tally_process) processes;
	/*
	 * The sums, and the maximum, over processes that are gone; unknown if one of them had an
	 * unknown figure.
	 */
	struct prof_usage gone;
};

void prof_tally_deinit(struct prof_tally *tally);

/*
 * Adds PROCESS.  Unless it is READABLE, all figures are unknown while it is there, except those of
 * prof_tally_report(), and those that grow are unknown ever after.  False: out of memory.
 */
bool prof_tally_add(struct prof_tally *tally, pid_t process, bool readable);

/*
 * PROCESS, which is not readable, stands still, and its own machine reports that it has used USAGE.
 * The switches in USAGE do not count; those of THREADS, COUNT of them, do, of which there may be
 * more.  This holds until prof_tally_forget().  False: out of memory.
 */
bool prof_tally_report(struct prof_tally *tally, pid_t process, const struct prof_usage *usage,
	const struct prof_tally_thread *threads, size_t count);

/* The last report of PROCESS has what it had used when it came. */
void prof_tally_begin(struct prof_tally *tally, pid_t process);

/* The reports of processes may be out of date. */
void prof_tally_forget(struct prof_tally *tally);

/* PROCESS goes, if it is there, or is let go: a last look is taken, if it still can be. */
void prof_tally_remove(struct prof_tally *tally, pid_t process);

/* THREAD of PROCESS has ended, and was not waited for; it may be the whole process. */
void prof_tally_end(struct prof_tally *tally, pid_t process, pid_t thread);

/* Looks at what is cheap to look at, for processes that end without notice. */
void prof_tally_look(struct prof_tally *tally);

/* Looks at everything, and gives the sums over all processes. */
void prof_tally_read(struct prof_tally *tally, struct prof_usage *ret);

#endif
