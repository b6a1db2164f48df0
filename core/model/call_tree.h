/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The tree of calls that really were: a node for each call, with what was spent in it alone.
 *
 * Unlike in a call tree that is made of stacks (metric/calltree.h), two calls of the same function
 * are two nodes.  Nodes are numbered in the order of their calls: a node comes before all that it
 * called, and these in their order; so the numbers go through the tree depth first.
 */
#ifndef PROF_MODEL_CALL_TREE_H
#define PROF_MODEL_CALL_TREE_H

#include "base/error.h"
#include "base/map.h"
#include "model/single_calls.h"

#include <stdint.h>

/* Node 0 is the top level: nobody called it, and what is spent there belongs to no call. */
struct prof_node {
	uint32_t name;   /* what was called: a number that means something to the caller */
	uint32_t parent; /* that called it; PROF_NONE: this is the top level */
	uint32_t first;  /* its first sub-call; PROF_NONE: it has none */
	uint32_t next;   /* its parent's next sub-call; PROF_NONE: it is the last one */
	enum prof_call_end end;
	int64_t begin; /* ns: when it was called */
	int64_t cost;  /* spent in it, without its sub-calls; of what is counted */
	int64_t time;  /* ns: the same in time */
};

/* All zeroes is not a tree: see prof_tree_init(). */
struct prof_tree {
	PROF_ARRAY(struct prof_node) nodes;

	/* Private part. */
	PROF_ARRAY(uint32_t) last; /* by node: its last sub-call */
};

/* A tree of the top level alone. */
struct prof_error *prof_tree_init(struct prof_tree *tree) PROF_MUST_CHECK;

/* Frees what TREE holds; all zeroes is fine. */
void prof_tree_deinit(struct prof_tree *tree);

/*
 * Adds a call of NAME by PARENT after its other sub-calls, with nothing spent; PARENT is the node
 * that was added last, or one above it.
 */
struct prof_error *prof_tree_add(
	struct prof_tree *tree, uint32_t parent, uint32_t name, uint32_t *ret) PROF_MUST_CHECK;

/* Asserts everything that holds of a tree; for tests and debugging. */
void prof_tree_check(const struct prof_tree *tree);

#endif
