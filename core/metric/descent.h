/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A descent: the nodes of a collapsed tree in the order in which they are printed. */
#ifndef PROF_METRIC_DESCENT_H
#define PROF_METRIC_DESCENT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_collapsed;
struct prof_collapsed_node;

/* Which of two siblings comes first?  Below 0: A does; 0: first encounter decides. */
typedef int prof_descent_order(uint32_t a, uint32_t b, const void *context);

struct prof_descent {
	const struct prof_collapsed_node *nodes; /* borrowed */
	uint32_t count;

	/* Private part. */
	prof_descent_order *compare;
	const void *context;
	uint32_t *order;    /* the nodes but the root, sorted by parent */
	uint32_t *position; /* by node: where it is in ORDER; [0] is not used */
	uint32_t *child;    /* by node: its first child in that order, or PROF_NONE */
};

/* The nodes of TREE, borrowed, with siblings in the order of COMPARE. */
struct prof_error *prof_descent_init(struct prof_descent *descent,
	const struct prof_collapsed *tree, prof_descent_order *compare,
	const void *context) PROF_MUST_CHECK;

/* Frees what DESCENT holds; all zeroes is fine. */
void prof_descent_deinit(struct prof_descent *descent);
#define AUTO_DESCENT PROF_AUTO(prof_descent_deinit)

/* Functions for the nodes of a descent, which are called with CONTEXT. */
struct prof_descent_visit {
	bool (*is_cut)(const void *context,
		uint32_t node);                    /* leave NODE out, with all that is under it? */
	bool (*add)(void *context, uint32_t node); /* the row of NODE; false: no memory */
	/* Does NODE stand in the row before, and is no row of its own?  NULL: never. */
	bool (*is_joined)(const void *context, uint32_t node);
	void *context;
};

/* Visits the nodes in their order, and adds those that are not cut, LIMIT at the most; 0: all. */
struct prof_error *prof_descent_walk(const struct prof_descent *descent,
	const struct prof_descent_visit *visit, uint64_t limit) PROF_MUST_CHECK;

/* The node that comes after NODE, of which the children are skipped unless INTO; or PROF_NONE. */
uint32_t prof_descent_next(const struct prof_descent *descent, uint32_t node, bool into);

#endif
