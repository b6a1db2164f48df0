/* The catchpoint for a signal, whose condition $_prof_tick() samples and answers 0. */
#ifndef PROF_PLUGIN_CATCHPOINT_H
#define PROF_PLUGIN_CATCHPOINT_H

#include "base/error.h"

#include <stdbool.h>

/* How GDB treats a signal. */
struct handling {
	bool stop, print, pass;
};

struct catchpoint {
	const char *signal; /* "SIGURG" */
	long number;        /* 0: there is none */
};

/* What `info signals` says of SIGNAL. */
struct prof_error *handling_read(const char *signal, struct handling *ret) PROF_MUST_CHECK;

/* Executes `handle SIGNAL`. */
struct prof_error *handling_set(const char *signal, struct handling handling) PROF_MUST_CHECK;

/* Sets it for SIGNAL, a literal; the user's $bpnum stays as it was. */
struct prof_error *catchpoint_set(
	struct catchpoint *catchpoint, const char *signal) PROF_MUST_CHECK;

/* The user may have deleted or disabled all breakpoints, and ours with them. */
void catchpoint_keep(struct catchpoint *catchpoint);

/* Until catchpoint_keep() the signal is treated as if there were none. */
void catchpoint_disable(const struct catchpoint *catchpoint);

/* All zeroes is fine. */
void catchpoint_delete(struct catchpoint *catchpoint);

#endif
