/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Exclusive, inclusive and attributed metrics of functions, or of what other items a profile is
 * made of, as the Performance Analyzer defines them.
 *
 * For each stack and function, the innermost occurrence counts: its caller is the frame just
 * outside, its callee the frame just inside.  So both sums hold for every function:
 *
 *	sum of callers = inclusive = exclusive + sum of callees
 *
 * An experiment of a callgrind file has arcs with costs, and no stacks: these are its callers and
 * callees.  The inclusive metric of a function or load object is the sum of its callers but itself;
 * that of a line or address is its exclusive metric and the sum of its callees; both are at most
 * the total.  In recursion callgrind counts costs again and again, so the sums above need not hold.
 */
#ifndef PROF_METRIC_FUNCTIONS_H
#define PROF_METRIC_FUNCTIONS_H

#include "base/memory.h"
#include "base/value.h"

#include <stdbool.h>

struct prof_error;
struct prof_profile;

/* What of the inclusive metric of one function came from or went to another. */
struct prof_attribution {
	uint32_t focus; /* function */
	uint32_t other; /* caller or callee; PROF_NONE: the focus is outermost, called by nobody */
	prof_value value; /* of the profile's metric, as all below */
};

struct prof_functions {
	size_t count;          /* functions: as many as the profile's items */
	prof_value *exclusive; /* by function */
	prof_value *inclusive; /* by function */
	/* By function of the experiment, "<Unknown>" included: it is in a stack. */
	bool *seen;
	prof_value total; /* over all stacks */
	/* Sorted by focus; each focus's in the order of first encounter. */
	PROF_ARRAY(struct prof_attribution) callers, callees;
};

/* The metrics of PROFILE's items; it is borrowed for the call. */
struct prof_error *prof_functions_create(
	const struct prof_profile *profile, struct prof_functions **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_functions_destroy(struct prof_functions *functions);

/*
 * FOCUS's first attribution, one of the COUNT of ATTRIBUTIONS, and in *LENGTH how many it has,
 * which may be none.
 */
const struct prof_attribution *prof_functions_of(
	const struct prof_attribution *attributions, size_t count, uint32_t focus, size_t *length);

/* Asserts both sums for every function; for tests and debugging. */
void prof_functions_check(const struct prof_functions *functions);

#endif
