/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stands between GDB and a process whose functions are patched, so that GDB sees no patches.
 *
 * GDB's calls of waitpid(), ptrace(), pread64() and pwrite64() pass here, above those of an engine:
 * what an engine does behind GDB's back is done to a thread as it is.  All of it happens on GDB's
 * own thread.  For native processes in all-stop mode.
 */
#ifndef PROF_PLUGIN_INTERPOSE_PATCHED_PROCESS_H
#define PROF_PLUGIN_INTERPOSE_PATCHED_PROCESS_H

#include "base/error.h"
#include "patching/patched.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Called in the middle of GDB's work. */
struct patched_watcher {
	/* The process is about to end, and its memory can still be read. */
	void (*ending)(void);
	/* It is about to be let go; all threads stand still, and patches are out. */
	void (*leaving)(void);
	/* All threads have stopped, and patches are out. */
	void (*still)(void);
	/* It has ended, executes another program, or was let go: this has forgotten it. */
	void (*gone)(void);
	/* A load object may be gone, before GDB says so: its functions are to be forgotten. */
	void (*prune)(void);
	/* Patches could not be put in or taken out; takes ERROR. */
	void (*failed)(struct prof_error *error);
};

/* Passes GDB's calls on from now on.  After the engine has started, and before others that do the
 * same do so. */
struct prof_error *patched_process_open(void) PROF_MUST_CHECK;

/*
 * Before the engine stops, and while the threads of the process stand still; or when they do at
 * last: then no other engine must have been started.  May be called twice.
 */
void patched_process_close(void);

/*
 * From now on PROCESS, all of whose threads stand still, and are admitted, has PATCHED; WATCHER is
 * borrowed.  ATTACHED: it was there before GDB.  False: a thread goes on.
 */
bool patched_process_take(pid_t process, bool attached, struct prof_patched *patched,
	const struct patched_watcher *watcher);

/* Forgets PATCHED, while all threads stand still. */
void patched_process_drop(void);

/* The function at ADDRESS was added to PATCHED; it begins with CODE, LENGTH bytes, as GDB shows
 * them.  False: no memory. */
bool patched_process_add(uint64_t address, const unsigned char *code, size_t length);

/* Patches may be put in from now on; or, if not ALLOWED, they stay out once all threads have
 * stopped: what GDB has the program do for itself is not counted. */
void patched_process_allow(bool allowed);

/* Do all threads of the process stand still, as far as they are known? */
bool patched_process_stands(void);

/* Held while functions are added or forgotten: samplers ask where threads are. */
void patched_process_lock(void);
void patched_process_unlock(void);

#endif
