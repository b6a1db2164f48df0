/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The kinds of performance breakpoints: each is a row with what its option of prof-break means.
 *
 * A kind finds out, in the watcher's thread, that a thread of the program misbehaves.  That thread
 * gets a signal, GDB meets it, and asks the kind again while the thread stands still.
 */
#ifndef PROF_PLUGIN_BREAKS_BREAK_KIND_H
#define PROF_PLUGIN_BREAKS_BREAK_KIND_H

#include "base/option.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct option_values;

/*
 * Nothing to look at before something else happens.  A look otherwise says after how many ns the
 * next one is due.
 */
#define BREAK_IDLE INT64_MAX

/*
 * OWN is what create() has made.  Times are in ns that PROCESS has run since it was first seen:
 * while GDB keeps it stopped, no time passes.
 */
struct break_kind {
	const char *name; /* of the option that chooses it */
	/* That option and its others, which end with a row without a name. */
	const struct prof_option *rows;

	/*
	 * Reads VALUES into *RET, for destroy(), and adds to WHAT what it stops at, as
	 * "parse runs for more than 10 ms".  Called on GDB's own thread, as are the next ones.
	 */
	struct prof_error *(*create)(
		const struct option_values *values, struct prof_text *what, void **ret);
	void (*destroy)(void *own);

	/*
	 * PROCESS has ended, or, unless that is 0, THREAD of it has, or cannot be stopped.  The
	 * caller holds break_lock().  NULL: there is nothing to forget.
	 */
	void (*forget)(void *own, pid_t process, pid_t thread);

	/*
	 * Does the selected thread, THREAD, which a look has found, misbehave still?  Adds a
	 * sentence without its end to TEXT, "parse has run for 10.4 ms", and may select the frame
	 * that the user's condition is about.
	 */
	bool (*confirm)(
		void *own, pid_t process, pid_t thread, int64_t now, struct prof_text *text);

	/*
	 * Called in the watcher's thread, which touches neither GDB nor Python: sets *RET to a
	 * thread of PROCESS that misbehaves.  Returns when to look again.
	 */
	int64_t (*look)(void *own, pid_t process, int64_t now, pid_t *ret);
};

/* All rows; NULL ends them. */
extern const struct break_kind *const break_kinds[];

extern const struct break_kind break_call;

/* What the kinds share with the watcher's thread is changed between these two. */
void break_lock(void);
void break_unlock(void);

#endif
