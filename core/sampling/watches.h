/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watched threads of a process, by thread id. */
#ifndef PROF_SAMPLING_WATCHES_H
#define PROF_SAMPLING_WATCHES_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_watch;

/* All zeroes is none.  Sorted by thread id; an item's address never changes. */
struct prof_watches {
	PROF_ARRAY(struct prof_watch *) array;
	PROF_ARRAY(pid_t) unread; /* not watched: no descriptor was left to read their files by */
};

void prof_watches_deinit(struct prof_watches *watches);

/* The watch on THREAD, or NULL. */
struct prof_watch *prof_watches_find(const struct prof_watches *watches, pid_t thread);

/*
 * A new watch on THREAD of PROCESS, not watched yet.  NULL: it is gone, memory is short, or it is
 * among those unread now.
 */
struct prof_watch *prof_watches_add(struct prof_watches *watches, pid_t process, pid_t thread);

/* Ends the watch on THREAD, if there is one. */
void prof_watches_drop(struct prof_watches *watches, pid_t thread);

/*
 * A thread has executed a program: it bears the id LEADER now, and all others have ended.  Ends all
 * watches except that on LEADER, which goes on from the last report of the thread that it is now,
 * or begins at NOW, if that is not known.
 */
void prof_watches_exec(struct prof_watches *watches, pid_t leader, int64_t now);

/*
 * Does the debugger hold all threads?  An alarm that has rung, or a CPU timer, may have stopped
 * one: that is a tick.  Raises *SINCE to the time, in ns of CLOCK_MONOTONIC, since which the last
 * one is held, and lowers *UNTIL to the time of the oldest look: threads that take turns may have
 * gone on after theirs.
 */
bool prof_watches_held(const struct prof_watches *watches, int64_t *since, int64_t *until);

#endif
