/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A walk over a call tree, depth first, each parent's children in their order.
 *
 * It is a loop and no recursion, since stacks may be a hundred thousand frames deep:
 *
 *	while (prof_walk_next(&walk))
 *		if (walk.entering) ... before all nodes below walk.node
 *		else ...	       after all of them
 */
#ifndef PROF_METRIC_WALK_H
#define PROF_METRIC_WALK_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_calltree;

struct prof_walk {
	uint32_t node; /* where the walk is */
	bool entering;

	/* Private part. */
	const struct prof_calltree *tree; /* borrowed; not to be added to meanwhile */
	uint32_t *child;   /* by node: its child that the walk is in or under, or goes to next */
	uint32_t *sibling; /* by node: its parent's next child */
};

/* A walk over TREE, before the root. */
struct prof_error *prof_walk_init(
	struct prof_walk *walk, const struct prof_calltree *tree) PROF_MUST_CHECK;

/* Frees what WALK holds. */
void prof_walk_deinit(struct prof_walk *walk);
#define AUTO_WALK PROF_AUTO(prof_walk_deinit)

/* Goes on.  False: the walk is over. */
bool prof_walk_next(struct prof_walk *walk);

/* The child of NODE, which is above where the walk is, on the way from there to NODE. */
static inline uint32_t prof_walk_below(const struct prof_walk *walk, uint32_t node)
{
	return walk->child[node];
}

#endif
