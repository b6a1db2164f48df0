/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tick that a thread has not met yet when the debugger lets go of it. */
#ifndef PROF_SAMPLING_LEFTOVER_H
#define PROF_SAMPLING_LEFTOVER_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Has THREAD of PROCESS meet a tick that was sent to it, before it runs on, so that the program
 * gets no signal that nobody there has sent.  THREAD stands still under a ptrace() of the caller's
 * thread.  Other pending signals stay pending.  Returns a signal that cannot be held back and that
 * the thread stopped with, for the caller to deliver; or 0.
 */
int prof_leftover_take(pid_t process, pid_t thread);

/*
 * THREAD, likewise, was stopped by a tick by SIGSTOP, and blocks the signals of SET (bit N - 1 is
 * signal N), by which earlier ticks were sent: has it meet those that are pending, so that no
 * sigwait() or signalfd of the program's takes them.
 */
void prof_leftover_unblock(pid_t process, pid_t thread, uint32_t set);

#endif
