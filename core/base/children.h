/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The index of a tree: which child of a node has which label.  Nodes are numbered from 0 as they
 * are added.
 *
 * In a tree of stacks most nodes have one child, whose number is the next one.  The first child of
 * each node is in an array, where those of one stack lie side by side; a map, where each search
 * goes to another place in memory, has only the other children.
 */
#ifndef PROF_BASE_CHILDREN_H
#define PROF_BASE_CHILDREN_H

#include "base/map.h"

struct prof_child {
	uint32_t node;  /* PROF_NONE: there is none */
	uint32_t label; /* of NODE */
};

/* All zeroes is the empty index. */
struct prof_children {
	size_t count;                         /* of all children */
	PROF_ARRAY(struct prof_child) firsts; /* by parent */
	struct prof_map others;               /* parent, label -> child */
};

/* Frees what CHILDREN holds, and leaves it empty. */
void prof_children_deinit(struct prof_children *children);

/* The child of PARENT with LABEL, or PROF_NONE. */
static inline uint32_t prof_children_find(
	const struct prof_children *children, uint32_t parent, uint32_t label)
{
	const struct prof_child *first =
		parent < children->firsts.count ? &children->firsts.items[parent] : NULL;

	if (!first || first->node == PROF_NONE)
		return PROF_NONE;
	return first->label == label
		? first->node
		: prof_map_get(&children->others, prof_map_pair(parent, label));
}

/*
 * Adds NODE (never PROF_NONE) as a child of PARENT with LABEL, beside others that are there: look
 * first.  False: out of memory, CHILDREN are as they were.
 */
bool prof_children_add(
	struct prof_children *children, uint32_t parent, uint32_t label, uint32_t node);

/*
 * A new row of ARRAY, a PROF_ARRAY(), whose number CHILDREN get as a child of PARENT with LABEL:
 * look first.  NULL: out of memory, or there are so many rows that its number would be PROF_NONE;
 * both are as they were.
 */
#define prof_children_push(children, parent, label, array)                                       \
	((array)->count < PROF_NONE && prof_array_reserve((array), 1) &&                         \
				prof_children_add(                                               \
					(children), (parent), (label), (uint32_t)(array)->count) \
			? &(array)->items[(array)->count++]                                      \
			: NULL)

#endif
