/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The catchpoint for a signal: its condition does the work, and answers 0. */
#ifndef PROF_PLUGIN_GDB_CATCHPOINT_H
#define PROF_PLUGIN_GDB_CATCHPOINT_H

#include "base/error.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>

/* How GDB treats a signal. */
struct handling {
	bool stop, print, pass;
};

/* What is noted when catchpoint_keep() had to do something. */
#define CATCHPOINT_MENDED \
	"The engine's catchpoint was deleted or changed by a command, and has been made again: see info breakpoints."

struct catchpoint {
	const char *condition; /* NULL: "$_prof_tick()", which samples */
	void (*on_harm)(void); /* called when that is set; NULL: nobody waits for it */
	const char *signal;    /* "SIGURG" */
	long number;           /* 0: there is none */
	long before;           /* $bpnum when it was made; 0: there was none */
	bool disabled;         /* by catchpoint_disable() */
	bool harmed;           /* a command has deleted or changed it: see catchpoint_keep() */
	PyObject *listener;    /* to breakpoints being modified and deleted */

	struct catchpoint *next; /* of those that catchpoint_owns() looks through */
};

/* Reads `info signals SIGNAL`. */
struct prof_error *handling_read(const char *signal, struct handling *ret) PROF_MUST_CHECK;

/* Executes `handle SIGNAL`. */
struct prof_error *handling_set(const char *signal, struct handling handling) PROF_MUST_CHECK;

/*
 * Sets it for SIGNAL, which must stay too.  CATCHPOINT must stay where it is until it is deleted.
 * The user's $bpnum stays as it was, and `commands` without a number goes to that breakpoint. After
 * an error there is none.
 */
struct prof_error *catchpoint_set(
	struct catchpoint *catchpoint, const char *signal) PROF_MUST_CHECK;

/*
 * The user may have deleted or disabled all breakpoints, and ours with them: sets it again.
 * Returns whether that was needed.
 */
bool catchpoint_keep(struct catchpoint *catchpoint);

/* Is breakpoint NUMBER a catchpoint that catchpoint_set() or catchpoint_keep() has made? */
bool catchpoint_owns(long number);

/* Until catchpoint_keep() the signal is treated as if there were none. */
void catchpoint_disable(struct catchpoint *catchpoint);

/* All zeroes is fine. */
void catchpoint_delete(struct catchpoint *catchpoint);

#endif
