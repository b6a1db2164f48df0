/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Performance breakpoints: the program stops when it misbehaves in time or memory.
 *
 * Each is a catchpoint of GDB's for the signals that the watcher sends, with a condition that asks
 * for what was found: GDB has its number, its commands, its ignore count, and whether it is
 * enabled.
 */
#ifndef PROF_PLUGIN_BREAKS_BREAKS_H
#define PROF_PLUGIN_BREAKS_BREAKS_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

struct option_values;
struct prof_option;

/*
 * Makes the one that VALUES choose, with the user's CONDITION, "" for none, and deletes it at its
 * first stop if it is TEMPORARY.  Reports it in TEXT.
 */
struct prof_error *breaks_add(const struct option_values *values, const char *condition,
	bool temporary, struct prof_text *text) PROF_MUST_CHECK;

/* Lists them in TEXT. */
struct prof_error *breaks_list(struct prof_text *text) PROF_MUST_CHECK;

/* The options of all kinds, which end with a row without a name; NULL: out of memory. */
const struct prof_option *breaks_options(void);

/* Makes the condition of the catchpoints known to GDB.  False: a Python exception is pending. */
bool breaks_register(void);

#endif
