/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Lives of threads, as GDB learns of them: from before a thread has executed anything until it has
 * ended, and was not waited for yet, so that the kernel still shows what it did last.
 *
 * A replacement for waitpid() in GDB's import slots, which passes on what that finds.  All of it
 * happens on GDB's own thread.
 */
#ifndef PROF_PLUGIN_INTERPOSE_LIVES_H
#define PROF_PLUGIN_INTERPOSE_LIVES_H

#include "base/error.h"

#include <sys/types.h>

/* All except end() may be NULL: the event is ignored. */
struct lives_watcher {
	/* THREAD has stopped, and may have been made just now. */
	void (*stop)(pid_t thread);
	/* THREAD has ended; may be called twice. */
	void (*end)(pid_t thread);
	/* THREAD executes another program, as the first thread of its process. */
	void (*exec)(pid_t thread);
	/* THREAD, of whichever process, has made another. */
	void (*fork)(pid_t thread);
	/* THREAD has stopped by SIGNAL, one of the program's, and GDB does not know it yet. */
	void (*signal)(pid_t thread, int signal);
};

/*
 * GDB is about to wait for PROCESS with OPTIONS, as waitpid() has them: calls END for the thread
 * that it will find, if that has ended.  If it has stopped, there is nothing to do.
 */
void lives_look(pid_t process, int options, void (*end)(pid_t thread));

/* Calls WATCHER for what STATUS, as waitpid() has it, reports of THREAD. */
void lives_report(const struct lives_watcher *watcher, pid_t thread, int status);

/* NULL: GDB has such a slot; else why they cannot be watched. */
struct prof_error *lives_check(void) PROF_MUST_CHECK;

/* Calls WATCHER, which is borrowed, from now on.  Fails where GDB has no such slot. */
struct prof_error *lives_watch(const struct lives_watcher *watcher) PROF_MUST_CHECK;

/* May be called twice. */
void lives_unwatch(void);

#endif
