/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A thread that its CPU timer stops while GDB is away from its events, for example to read symbols,
 * would stand still until GDB comes back: only GDB's own thread can have it go on, and nobody can
 * switch off a timer in a program that runs.  So the ticker sends GDB's thread a SIGURG, whose
 * handler does only that.
 */
#ifndef PROF_PLUGIN_INTERPOSE_AWAY_H
#define PROF_PLUGIN_INTERPOSE_AWAY_H

#include <stdbool.h>
#include <sys/types.h>

/* The caller's thread is GDB's.  Nothing happens if somebody else handles SIGURG in GDB. */
void away_watch(void);

/* May be called twice.  The handler stays: a signal may be under way. */
void away_unwatch(void);

/*
 * For the tickers: THREAD stands still, and was resumed with NOTE, a request of ptrace(), last.
 * Has it go on if a CPU timer has stopped it.
 */
void away_release(pid_t thread, int note);

/* GDB's thread meets ticks from now on, or stops doing so: calls can be nested. */
void away_enter(void);
void away_leave(void);

#endif
