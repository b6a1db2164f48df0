/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tick that was sent to a thread before its debugger has held it. */
#ifndef PROF_SAMPLING_POSTPONE_H
#define PROF_SAMPLING_POSTPONE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * THREAD of PROCESS stands still under a ptrace() of the caller's thread, which is about to have it
 * execute one instruction: has it meet the tick that is pending, if one is, before it executes
 * anything.  Other signals stay pending, and the thread stands in the same stop afterwards. WANTED:
 * the debugger waits for a SIGSTOP of its own, which a tick by SIGSTOP may have taken the place of.
 * False: no tick was pending, or it cannot be had without the others.
 */
bool prof_postpone(pid_t process, pid_t thread, bool wanted);

#endif
