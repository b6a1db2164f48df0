/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The call tree: interned stacks of functions, the shape without any metric.
 *
 * Nodes are numbered in the order of first encounter, so that a parent has a smaller number than
 * its children, and the children of one parent are in the order of first encounter.  Metrics are
 * arrays of one value per node, beside the tree.
 */
#ifndef PROF_METRIC_CALLTREE_H
#define PROF_METRIC_CALLTREE_H

#include "base/children.h"
#include "base/error.h"
#include "base/map.h"
#include "base/value.h"

#include <stdint.h>

/* Node 0 is the root, the empty stack; its parent and function are PROF_NONE. */
struct prof_call {
	uint32_t parent;   /* node */
	uint32_t function; /* or another item of a profile */
};

/* All zeroes is not a tree: see prof_calltree_init(). */
struct prof_calltree {
	PROF_ARRAY(struct prof_call) nodes;

	/* Private part. */
	struct prof_children children; /* by function */
	struct prof_map stacks;        /* hash of a whole stack -> its node */
	uint32_t functions;            /* one more than the largest function in it */
};

/* A tree of the root alone. */
struct prof_error *prof_calltree_init(struct prof_calltree *tree) PROF_MUST_CHECK;

/* Frees what TREE holds. */
void prof_calltree_deinit(struct prof_calltree *tree);

/* The child of PARENT for FUNCTION, added if new. */
struct prof_error *prof_calltree_child(struct prof_calltree *tree, uint32_t parent,
	uint32_t function, uint32_t *ret) PROF_MUST_CHECK;

/*
 * The node of the stack of DEPTH functions, the outermost first, added if new.  It takes time in
 * proportion to DEPTH, however many stacks there are.  Where it fails, TREE may have got the outer
 * part of the stack.
 */
struct prof_error *prof_calltree_add(struct prof_calltree *tree, const uint32_t *functions,
	size_t depth, uint32_t *ret) PROF_MUST_CHECK;

/*
 * Adds to each node's value those of all nodes below: INCLUSIVE, one value per node, holds the
 * values of the nodes themselves, and then those of their subtrees.
 */
void prof_calltree_accumulate(const struct prof_calltree *tree, prof_value *inclusive);

/* Asserts everything that holds of a call tree; for tests and debugging. */
void prof_calltree_check(const struct prof_calltree *tree);

#endif
