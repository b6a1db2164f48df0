/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The thread that looks at the program for all performance breakpoints.  It touches neither GDB nor
 * Python, and blocks all signals.
 */
#ifndef PROF_PLUGIN_BREAKS_WATCHER_H
#define PROF_PLUGIN_BREAKS_WATCHER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct break_kind;

/* A performance breakpoint as the watcher knows it.  Memory is the caller's. */
struct watched_break {
	const struct break_kind *kind;
	void *own;
	bool enabled;

	/* The thread that was found and has not been met; 0: none. */
	struct {
		pid_t process, thread;
		int64_t sent; /* when it last got its signal */
	} asked;
	struct watched_break *next;
};

/* Begins to look for BREAK, and starts the thread if there is none; and the other way round. */
struct prof_error *watcher_add(struct watched_break *item) PROF_MUST_CHECK;
void watcher_remove(struct watched_break *item);

/* PROCESS goes on; it stands still; it has ended. */
struct prof_error *watcher_go_on(pid_t process) PROF_MUST_CHECK;
void watcher_stand(pid_t process);
void watcher_stand_all(void);
void watcher_forget(pid_t process);

/* ns that PROCESS has run.  The caller holds break_lock(). */
int64_t watcher_clock(pid_t process);

/* Something happens in DELAY ns that the thread must look at.  The caller holds break_lock(). */
void watcher_expect(int64_t delay);

/* THREAD has met a signal: was it for ITEM?  It is asked no longer. */
bool watcher_meet(struct watched_break *item, pid_t thread);

/* The signals that stop a thread, as `catch signal` takes them. */
#define WATCHER_SIGNALS "SIGURG SIGWINCH"

#endif
