/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tick that was sent to a thread before its debugger has held it. */
#ifndef PROF_SAMPLING_POSTPONE_H
#define PROF_SAMPLING_POSTPONE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Has THREAD of PROCESS meet a tick that is pending, before it executes anything.  THREAD stands
 * still under a ptrace() of the caller's thread, which is about to have it execute one instruction.
 * Other signals stay pending, and the thread stands in the same stop afterwards.  WANTED: the
 * debugger waits for a SIGSTOP of its own, whose place a tick by SIGSTOP may have taken.  False: no
 * tick was pending, or only together with other signals.
 */
bool prof_postpone(pid_t process, pid_t thread, bool wanted);

#endif
