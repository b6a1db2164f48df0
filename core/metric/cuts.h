/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Calls that are left out of the call graph to break cycles, like gprof's -k.
 *
 * Where a stack has such a call, and the callee is in the stack further out too, the stack goes on
 * there.  Otherwise it is cut in two, and the callee begins a stack of its own, so that the time of
 * the call is not its caller's.
 */
#ifndef PROF_METRIC_CUTS_H
#define PROF_METRIC_CUTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_call_counts;
struct prof_experiment;
struct prof_profile;

/* All calls from one of several functions to one of several others. */
struct prof_cut_calls {
	bool *from, *to; /* by function; NULL: any */
};

struct prof_cuts {
	PROF_ARRAY(struct prof_cut_calls) list;
};

/*
 * Reads TEXT, a list of FROM/TO with commas between; each is the name of a function as in
 * metric/names.h, or nothing, which stands for any.  Unknown names are errors.
 */
struct prof_error *prof_cuts_init(struct prof_cuts *cuts, const struct prof_experiment *experiment,
	const char *text) PROF_MUST_CHECK;

/* The error that TEXT, given for --cut, is not FROM/TO. */
struct prof_error *prof_cuts_refuse(const char *text) PROF_MUST_CHECK;

/* Frees what CUTS holds; all zeroes is fine, and has no calls. */
void prof_cuts_deinit(struct prof_cuts *cuts);
#define AUTO_CUTS PROF_AUTO(prof_cuts_deinit)

/* Are the calls of the function CALLEE by CALLER among them?  CALLER may be PROF_NONE: no call. */
bool prof_cuts_have(const struct prof_cuts *cuts, uint32_t caller, uint32_t callee);

/* A new profile of functions, as PROFILE, but of stacks that are cut; it has no paths and calls. */
struct prof_error *prof_cuts_stacks(const struct prof_cuts *cuts,
	const struct prof_profile *profile, struct prof_profile **ret) PROF_MUST_CHECK;

/* Takes them out of CALLS. */
void prof_cuts_calls(const struct prof_cuts *cuts, struct prof_call_counts *calls);

#endif
