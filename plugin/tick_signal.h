/* The signals that a ticker may choose, and who has sent the one that a thread stopped by. */
#ifndef PROF_PLUGIN_TICK_SIGNAL_H
#define PROF_PLUGIN_TICK_SIGNAL_H

#include <stdbool.h>
#include <sys/types.h>

enum { TICK_SIGNALS = 2 };

/* For `catch signal`: all of them. */
#define TICK_SIGNAL_NAMES "SIGURG SIGWINCH"

extern const struct tick_signal {
	int number;
	const char *name;
} tick_signals[TICK_SIGNALS];

/*
 * THREAD stands still under a ptrace() of the caller's thread: the index of the signal that it
 * stopped by; -1: it is no such signal.  *OURS: this process has sent it, to this thread alone.
 */
int tick_signal_of(pid_t thread, bool *ours);

#endif
