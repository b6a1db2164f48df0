/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A profile: the call tree of an experiment's functions, or other items, and one metric on it. */
#ifndef PROF_METRIC_PROFILE_H
#define PROF_METRIC_PROFILE_H

#include "metric/calltree.h"
#include "metric/items.h"

struct prof_experiment;
struct prof_metric;
struct prof_progress;
struct prof_selection;

/* A request for a profile; all but the metric may be NULL. */
struct prof_profile_request {
	const struct prof_metric *metric;
	const struct prof_selection *selection; /* these samples only; borrowed for the call */
	struct prof_items *items;               /* borrowed; NULL: functions, inlined ones too */
};

/* Calls from one item to another with their cost, of an experiment that has these and no stacks. */
struct prof_profile_call {
	uint32_t caller;   /* item; PROF_NONE: of outermost functions */
	uint32_t callee;   /* item: of the function that was called */
	uint32_t function; /* the same */
	uint64_t calls;
	prof_value value; /* of the metric, in the callee and all that it called */
};

struct prof_profile {
	const struct prof_experiment *experiment; /* borrowed */
	const struct prof_metric *metric;
	const struct prof_items *items; /* what the tree is made of */
	struct prof_calltree tree;      /* its nodes' functions are items */
	prof_value *self;               /* by node: of the stacks that end there */
	prof_value *inclusive; /* by node: of the stacks that pass there; [0] is the total */
	uint32_t *nodes;       /* by path: its node, 0 if it is not shown; NULL: made of no paths */
	PROF_ARRAY(struct prof_profile_call) calls; /* none where there are stacks */

	/* Private part. */
	struct prof_items functions; /* where the request has no items */
};

/*
 * The profile that REQUEST asks for of EXPERIMENT, which is borrowed.  Frames that are not resolved
 * count as the function "<Unknown>"; a stack without a frame too.
 */
struct prof_error *prof_profile_create(const struct prof_experiment *experiment,
	const struct prof_profile_request *request, const struct prof_progress *progress,
	struct prof_profile **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_profile_destroy(struct prof_profile *profile);

/* Asserts everything that holds of a profile; for tests and debugging. */
void prof_profile_check(const struct prof_profile *profile);

#endif
