/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * HP Puma's recursion collapsing: where a stack enters a routine that it is in already, it jumps
 * back to that routine's node and leaves a stub; the degree decides which calls do.  The nodes that
 * a stack is in are those of the collapsed tree from the root to where it is now.
 */
#ifndef PROF_METRIC_COLLAPSE_H
#define PROF_METRIC_COLLAPSE_H

#include "base/error.h"
#include "base/value.h"

#include <stdbool.h>

struct prof_calltree;

/* In order of increasing collapse. */
enum prof_degree {
	PROF_COLLAPSE_NONE,
	PROF_COLLAPSE_DIRECT,       /* a routine that calls itself */
	PROF_COLLAPSE_CONSERVATIVE, /* unless a routine's only instance would leave the chain */
	PROF_COLLAPSE_FULL,         /* any routine with a higher instance */
	PROF_DEGREES,
};

/* The words for them, by degree: "none", "direct", "conservative", "full". */
extern const char *const prof_degree_names[PROF_DEGREES];

/*
 * A node of the collapsed tree.  CHILD and SIBLING link the children in the order of first
 * encounter; PROF_NONE ends them.  Node 0 is the root, which is no routine.
 */
struct prof_collapsed_node {
	uint32_t function;
	uint32_t parent, child, sibling;
	uint32_t level;      /* 1: an outermost routine */
	bool stub;           /* stands for a recursive call; has no values */
	prof_value direct;   /* in or under, of stacks that came here without a stub before */
	prof_value indirect; /* in or under, of stacks that came here through a stub */
	prof_value in_only;
};

struct prof_collapsed {
	PROF_ARRAY(struct prof_collapsed_node) nodes;
	uint32_t *led_to; /* by node of the call tree: where a stack is that is there */
};

/* Collapses TREE, borrowed for the call, with SELF, one value per node of it, to DEGREE. */
struct prof_error *prof_collapse_create(const struct prof_calltree *tree, const prof_value *self,
	enum prof_degree degree, struct prof_collapsed **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_collapse_destroy(struct prof_collapsed *collapsed);

/* Asserts everything that holds of a collapsed tree; for tests and debugging. */
void prof_collapse_check(const struct prof_collapsed *collapsed);

#endif
