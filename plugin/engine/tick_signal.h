/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The signals that a ticker may choose, and the sender of the one that a thread stopped by. */
#ifndef PROF_PLUGIN_ENGINE_TICK_SIGNAL_H
#define PROF_PLUGIN_ENGINE_TICK_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Those that can be blocked come first; SIGSTOP is the last one. */
enum { TICK_SIGNALS_MASKABLE = 2, TICK_SIGNALS = 3 };

/* For `catch signal`. */
#define TICK_SIGNAL_NAMES_MASKABLE "SIGURG SIGWINCH"
#define TICK_SIGNAL_NAMES TICK_SIGNAL_NAMES_MASKABLE " SIGSTOP"

extern const struct tick_signal {
	int number;
	const char *name;
} tick_signals[TICK_SIGNALS];

/* Is NUMBER that of one of them? */
bool tick_signal_is_one(int number);

/*
 * THREAD stands still under a ptrace() of the caller's thread: the index of the signal that it
 * stopped by, of which *INFO is then filled in; -1: it is no such signal.
 */
int tick_signal_of(pid_t thread, siginfo_t *info);

#endif
