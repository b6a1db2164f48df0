/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A fragment: several functions in a row, wherever stacks have them; what called it, what it
 * called, and what ended with it, as cprepend and cappend of gprofng show them.  Each place may be
 * one of several functions', which are taken for one.
 *
 * For each stack the innermost occurrence counts, as it does for one function:
 *
 *	sum of callers = inclusive = exclusive + sum of callees
 */
#ifndef PROF_METRIC_FRAGMENT_H
#define PROF_METRIC_FRAGMENT_H

#include "base/memory.h"
#include "base/value.h"

#include <stdbool.h>

struct prof_attribution;
struct prof_error;
struct prof_profile;

struct prof_fragment_request {
	/* By part, the outermost first, and by item of the profile: may it stand there?  Borrowed.
	 */
	const bool *const *parts;
	size_t count; /* at least 1 */
};

struct prof_fragment {
	bool seen;            /* it is in a stack */
	prof_value exclusive; /* of stacks that end with it */
	prof_value inclusive; /* of stacks that it is in */
	/* Callers of its first function, and callees of its last: each once, in the order of first
	 * encounter.  The focus is undefined. */
	PROF_ARRAY(struct prof_attribution) callers, callees;
};

/* The fragment that REQUEST describes, in the stacks of PROFILE; both are borrowed for the call. */
struct prof_error *prof_fragment_create(const struct prof_profile *profile,
	const struct prof_fragment_request *request, struct prof_fragment **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_fragment_destroy(struct prof_fragment *fragment);

/* Asserts everything that holds of a fragment; for tests and debugging. */
void prof_fragment_check(const struct prof_fragment *fragment);

#endif
