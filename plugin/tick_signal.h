/* The signals that a ticker may choose, and who has sent the one that a thread stopped by. */
#ifndef PROF_PLUGIN_TICK_SIGNAL_H
#define PROF_PLUGIN_TICK_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum { TICK_SIGNALS = 3 };

/* For `catch signal`: those that can be blocked, and all of them.  SIGSTOP is the last one. */
#define TICK_SIGNALS_MASKABLE "SIGURG SIGWINCH"
#define TICK_SIGNAL_NAMES TICK_SIGNALS_MASKABLE " SIGSTOP"

extern const struct tick_signal {
	int number;
	const char *name;
} tick_signals[TICK_SIGNALS];

bool tick_signal_is_one(int number);

/*
 * THREAD stands still under a ptrace() of the caller's thread: the index of the signal that it
 * stopped by, of which *INFO is then filled in; -1: it is no such signal.
 */
int tick_signal_of(pid_t thread, siginfo_t *info);

#endif
