/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The calls that were counted or traced while a program was recorded, by function.
 *
 * The caller is the function that the view has at the call, which may be inlined code or the code
 * around it; the callee is always the function that has the code, because inlined code is never
 * called.
 */
#ifndef PROF_METRIC_CALL_COUNTS_H
#define PROF_METRIC_CALL_COUNTS_H

#include "base/value.h"
#include "metric/items.h"

/* How much is known of a function's calls. */
enum prof_known {
	PROF_KNOWN_NONE, /* they were neither counted nor traced */
	PROF_KNOWN_PART, /* not all of them were */
	PROF_KNOWN_ALL,
};

/* Calls from one function to another. */
struct prof_call_count {
	uint32_t caller, callee; /* functions; caller PROF_NONE: called by nobody that is known */
	prof_value calls;
	prof_value value; /* of the metric, in the callee and all that it called; 0: not known */
};

struct prof_call_counts {
	PROF_ARRAY(struct prof_call_count)
	list;           /* may have the same caller and callee several times */
	size_t counted; /* the first of the list, which were counted; the others were traced */
	PROF_ARRAY(uint32_t)
	functions;                 /* counted or traced ones, in the order of first encounter */
	size_t traced;             /* of these, the last so many were traced */
	PROF_ARRAY(uint8_t) known; /* by function: enum prof_known; or shorter */
};

/* Reads those of EXPERIMENT.  INLINED: inlined functions are functions of their own. */
struct prof_error *prof_call_counts_init(struct prof_call_counts *calls,
	const struct prof_experiment *experiment, bool inlined) PROF_MUST_CHECK;

/* Were calls counted or traced in EXPERIMENT, beside its stacks? */
bool prof_call_counts_exist(const struct prof_experiment *experiment);

/* Frees what CALLS holds; all zeroes is fine. */
void prof_call_counts_deinit(struct prof_call_counts *calls);
#define AUTO_CALL_COUNTS PROF_AUTO(prof_call_counts_deinit)

/* What is known of FUNCTION's. */
static inline enum prof_known prof_call_counts_known(
	const struct prof_call_counts *calls, uint32_t function)
{
	return function < calls->known.count ? (enum prof_known)calls->known.items[function]
					     : PROF_KNOWN_NONE;
}

#endif
