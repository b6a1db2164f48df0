/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Sees that GDB has a thread go on, execute a single instruction or stop, or lets go of it, which
 * GDB reports to nobody.  GDB's calls of ptrace() and syscall() show it, in whose import slots this
 * stands.  It also notes where GDB has a thread execute the instruction of a breakpoint elsewhere:
 * see displaced.h.
 */
#ifndef PROF_PLUGIN_INTERPOSE_STEPS_H
#define PROF_PLUGIN_INTERPOSE_STEPS_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* Called from now on, in the middle of GDB's work, before GDB does it; a function may be NULL. */
struct steps_watcher {
	/* THREAD goes on, or, if it is STEPPED, executes one instruction. */
	void (*resume)(pid_t thread, bool stepped);
	/* It is sent a SIGSTOP. */
	void (*want)(pid_t thread);
	/* GDB detaches from it, or kills it.  Returns a signal for it, or 0. */
	int (*let_go)(pid_t thread, bool killed);
};

/* WATCHER must stay where it is. */
struct prof_error *steps_watch(const struct steps_watcher *watcher) PROF_MUST_CHECK;

/* Nothing happens if they are not watched. */
void steps_unwatch(void);

#endif
