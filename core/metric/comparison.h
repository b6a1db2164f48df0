/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A comparison: two experiments seen as profiles of the same functions, on the same call tree.
 *
 * Functions are the same if they have the same name, in load objects of the same base name: so are
 * those of two builds, wherever each was.  What only one of the two has is in the other's profile
 * with the value 0.
 */
#ifndef PROF_METRIC_COMPARISON_H
#define PROF_METRIC_COMPARISON_H

#include "metric/metric.h"
#include "metric/profile.h"

enum { PROF_COMPARISON_SIDES = 2 };

struct prof_comparison_request {
	const struct prof_experiment
		*experiments[PROF_COMPARISON_SIDES]; /* borrowed for the call */
	/* One for each side; both have the same name. */
	const struct prof_metric *metrics[PROF_COMPARISON_SIDES];
	const struct prof_filter *filters[PROF_COMPARISON_SIDES]; /* one for each side */
	bool inlined; /* inlined functions are functions of their own */
};

struct prof_comparison {
	struct prof_experiment *names; /* the functions of both, and nothing else */
	struct prof_items items;       /* those functions */
	struct prof_metric metrics[PROF_COMPARISON_SIDES];
	/* By side; the nodes of both trees have the same numbers. */
	struct prof_profile profiles[PROF_COMPARISON_SIDES];
	/* How many samples there are, and how many the filter lets pass. */
	size_t samples[PROF_COMPARISON_SIDES], chosen[PROF_COMPARISON_SIDES];
	struct prof_error
		*missing[PROF_COMPARISON_SIDES]; /* what the filter names, and it has not */
};

/*
 * Compares the experiments, which may be one, filtered in two ways.  If a filter names something
 * that only one of them has, no sample of the other passes; if neither has it, it is an error.
 */
struct prof_error *prof_comparison_create(const struct prof_comparison_request *request,
	const struct prof_progress *progress, struct prof_comparison **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_comparison_destroy(struct prof_comparison *comparison);

/* Destroys *COMPARISON, for the guard. */
void prof_comparison_auto(struct prof_comparison **comparison);
#define AUTO_COMPARISON PROF_AUTO(prof_comparison_auto)

/* Asserts everything that holds of a comparison; for tests and debugging. */
void prof_comparison_check(const struct prof_comparison *comparison);

#endif
