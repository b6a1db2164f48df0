/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Functions as the user names them: one or several, by words that may be parts of names. */
#ifndef PROF_VIEW_NAMED_H
#define PROF_VIEW_NAMED_H

#include "base/memory.h"

#include <stdbool.h>

struct prof_error;
struct prof_experiment;

/* One name, and what it stands for: see metric/names.h. */
struct prof_named_part {
	char *text;      /* as it was typed */
	bool *functions; /* by function: it stands for this one */
	size_t count;    /* of those: at least one */
};

/* All zeroes is none. */
struct prof_named {
	PROF_ARRAY(struct prof_named_part) parts;
};

/* Frees what NAMED holds. */
void prof_named_deinit(struct prof_named *named);
#define AUTO_NAMED PROF_AUTO(prof_named_deinit)

/*
 * Finds in TEXT, from its begin on, the longest names that stand for functions of EXPERIMENT that
 * are SEEN, which is by function; if the whole text stands for some, it is that name.  If there is
 * none, the error lists similar names.
 */
struct prof_error *prof_named_read(struct prof_named *named,
	const struct prof_experiment *experiment, const bool *seen,
	const char *text) PROF_MUST_CHECK;

/*
 * The error that NAME, WHAT it could be, is in no stack or has no cost, with similar names of
 * functions that are SEEN, by function or NULL for all.
 */
struct prof_error *prof_named_unknown(const struct prof_experiment *experiment, const bool *seen,
	const char *what, const char *name) PROF_MUST_CHECK;

#endif
