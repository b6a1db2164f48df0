/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The import slots of the host program: where its calls to a libc function go through.
 *
 * A slot that is set sends the host's own calls elsewhere, and those of no library.
 */
#ifndef PROF_PLUGIN_INTERPOSE_SLOT_H
#define PROF_PLUGIN_INTERPOSE_SLOT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A slot, what stood in it, and the function that calls through it reach. */
struct slot {
	void **place;
	void *before; /* not always FUNCTION: a slot that was never used leads to the linker */
	void *function;
	void *instead; /* what it was set to */
};

/* An imported function, and its replacement in the host program. */
struct hook {
	const char *function;
	void *instead;
};

/* Has the host program slots for all COUNT of HOOKS? */
struct prof_error *slots_check(const struct hook *hooks, size_t count) PROF_MUST_CHECK;

/* Finds SLOTS, and sets them to HOOKS, COUNT of both.  After an error all are as before. */
struct prof_error *slots_open(
	const struct hook *hooks, struct slot *slots, size_t count) PROF_MUST_CHECK;

/*
 * The function to call from the replacement in an open SLOT: the replacement of another hook of the
 * plugin that stood there before, or the function itself.
 */
void *slot_next(const struct slot *slot);

/* Does SLOT still lead to HOOK's replacement? */
bool slot_is(const struct slot *slot, const struct hook *hook);

/*
 * Puts back into SLOTS what stood there.  A slot that was set again since stays as it is: what
 * stands there passes on to what SLOTS were set to, which must pass that on.  The functions of
 * SLOTS can still be called.
 */
void slots_close(const struct slot *slots, size_t count);

#endif
