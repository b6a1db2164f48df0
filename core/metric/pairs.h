/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The distinct pairs of caller and callee, numbered in the order of first encounter. */
#ifndef PROF_METRIC_PAIRS_H
#define PROF_METRIC_PAIRS_H

#include "base/map.h"
#include "base/memory.h"

struct prof_calltree;
struct prof_error;

struct prof_pair {
	uint32_t caller; /* PROF_NONE: nobody */
	uint32_t callee;
};

/* All zeroes is the empty set. */
struct prof_pairs {
	PROF_ARRAY(struct prof_pair) list;
	size_t functions; /* one more than the largest function in it */
	struct prof_map index;
};

/* Frees what PAIRS holds, and leaves it empty. */
void prof_pairs_deinit(struct prof_pairs *pairs);
#define AUTO_PAIRS PROF_AUTO(prof_pairs_deinit)

/* The number of the pair, added if new. */
struct prof_error *prof_pairs_add(
	struct prof_pairs *pairs, uint32_t caller, uint32_t callee, uint32_t *ret) PROF_MUST_CHECK;

/*
 * Adds the pairs of neighbours in the stacks of TREE, with PROF_NONE as the caller of the outermost
 * functions.  *RET is a new array, which the caller frees: by node, the pair of its parent's
 * function and its own; the root's is PROF_NONE.
 */
struct prof_error *prof_pairs_of_tree(
	struct prof_pairs *pairs, const struct prof_calltree *tree, uint32_t **ret) PROF_MUST_CHECK;

#endif
