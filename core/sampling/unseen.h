/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * CPU time that no look has explained: where sleeping threads take turns, one may wake up and be
 * busy for long before it has its turn.  The process's CPU clock gives it away, and it is searched.
 */
#ifndef PROF_SAMPLING_UNSEEN_H
#define PROF_SAMPLING_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_schedstat;
struct prof_watch;

/* All times in ns. */
struct prof_unseen {
	pid_t process; /* the kernel's id */
	int64_t begin,
		clock; /* of the window: when it was, and what the process's CPU clock said */
	int64_t seen;  /* the CPU time since that looks have explained */
	int64_t next;  /* no search is due before */
};

/* Begins a window at NOW, in which nothing was seen yet. */
void prof_unseen_restart(struct prof_unseen *unseen, int64_t now);

/* WATCH is looked at, and SCHEDSTAT is its own of now. */
void prof_unseen_look(struct prof_unseen *unseen, struct prof_watch *watch,
	const struct prof_schedstat *schedstat);

/*
 * Is a search due at NOW: has much of a CPU gone where nobody has looked?  Only the end of a window
 * can show that, because the threads' own times are as old as the last timer interrupt.
 */
bool prof_unseen_is_due(struct prof_unseen *unseen, int64_t now);

/* Has WATCH been on a CPU for so long, since it was last looked at, that it is the one? */
bool prof_unseen_is_found(const struct prof_watch *watch, const struct prof_schedstat *schedstat);

/* A search has ended at NOW, and has used so much CPU time: the next one waits accordingly. */
void prof_unseen_searched(struct prof_unseen *unseen, int64_t now, int64_t used);

#endif
