/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A thread that is about to end its process, or to have another program take its place: the kernel
 * then kills all other threads.  If it kills one in a tick's stop that the debugger has learned of,
 * the debugger may miss that.  So no tick is sent any more, and the thread that leaves is kept back
 * until those under way were met.
 */
#ifndef PROF_SAMPLING_LEAVING_H
#define PROF_SAMPLING_LEAVING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_watch;

struct prof_leaving {
	pid_t thread;  /* 0: none is about to leave */
	int64_t since; /* ns of CLOCK_MONOTONIC */
	int64_t run;   /* what schedstat said of it when it was last kept back */
};

/* The thread of WATCH begins to leave at NOW. */
void prof_leaving_begin(struct prof_leaving *leaving, struct prof_watch *watch, int64_t now);

/*
 * Does WATCH, signalled and not met, stand in the way: may it be stopped by its tick now?  After a
 * second no watch does.
 */
bool prof_leaving_waits_for(
	const struct prof_leaving *leaving, struct prof_watch *watch, int64_t now);

/* The thread, whose watch is WATCH, is kept back once more. */
void prof_leaving_keep(struct prof_leaving *leaving, struct prof_watch *watch);

/*
 * Is it over?  The thread has gone (WATCH is NULL), or it stays, as after execve() has failed: it
 * sleeps, or has used more of a CPU than it takes to leave.
 */
bool prof_leaving_is_over(const struct prof_leaving *leaving, struct prof_watch *watch);

#endif
