/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Child processes, met while GDB waits for events: GDB's own way from a SIGCHLD to waitpid() takes
 * some twenty system calls, and as long as the stop itself.
 *
 * A replacement for poll() in GDB's import slots.  All of it happens on GDB's own thread.
 */
#ifndef PROF_PLUGIN_INTERPOSE_CHILDREN_H
#define PROF_PLUGIN_INTERPOSE_CHILDREN_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * THREAD, which GDB traces, has stopped with SIGNAL (or, above 0xff, for an event of ptrace), and
 * was not waited for.  True: it was resumed, and GDB need not know.
 */
typedef bool children_meet(pid_t thread, int signal);

/* Calls MEET from now on.  Fails where GDB has no such slot: then GDB meets all of them itself. */
struct prof_error *children_watch(children_meet *meet) PROF_MUST_CHECK;

/* May be called by MEET, and twice. */
void children_leave(void);

/*
 * May another one be met at once, after COUNT were?  GDB has others to listen to as well, such as
 * somebody who is typing.
 */
bool children_may_meet(int count);

/* Has GDB's SIGCHLD come again, for those that are left. */
void children_remind(void);

#endif
