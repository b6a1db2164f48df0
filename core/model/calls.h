/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Trees of calls, as samples of an experiment. */
#ifndef PROF_MODEL_CALLS_H
#define PROF_MODEL_CALLS_H

#include "base/progress.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;
struct prof_tree;

/* What the numbers of a tree mean. */
struct prof_calls_terms {
	uint32_t thread; /* of the experiment, in which it all happened */
	bool timed;      /* the tree has times */
	int64_t start;   /* ns: the tree's time at which the experiment starts */
	struct {
		int64_t numerator, denominator; /* one of cost counts so many samples */
	} unit;
};

/*
 * Adds a sample for each call in TREE, whose names are frames of EXPERIMENT, in the order of the
 * calls: its stack; as samples and as user time what was spent in it without its own calls; and as
 * the sample's time when it was called.  Of a tree with times each is a single call, too.
 */
struct prof_error *prof_calls_add(struct prof_experiment *experiment, const struct prof_tree *tree,
	const struct prof_calls_terms *terms, const struct prof_progress *progress) PROF_MUST_CHECK;

#endif
