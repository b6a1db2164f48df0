/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/walk.h"

#include "base/map.h"
#include "metric/calltree.h"

#include <stdlib.h>

struct prof_error *prof_walk_init(struct prof_walk *walk, const struct prof_calltree *tree)
{
	const struct prof_call *nodes = tree->nodes.items;
	size_t count = tree->nodes.count;

	*walk = (struct prof_walk){
		.node = PROF_NONE,
		.tree = tree,
		.child = malloc(count * sizeof *walk->child),
		.sibling = malloc(count * sizeof *walk->sibling),
	};
	if (!walk->child || !walk->sibling) {
		prof_walk_deinit(walk);
		return prof_error_nomem();
	}
	for (size_t i = 0; i < count; i++)
		walk->child[i] = PROF_NONE;
	walk->sibling[0] = PROF_NONE;
	for (size_t i = count; i-- > 1;) {
		walk->sibling[i] = walk->child[nodes[i].parent];
		walk->child[nodes[i].parent] = (uint32_t)i;
	}
	return NULL;
}

void prof_walk_deinit(struct prof_walk *walk)
{
	free(walk->child);
	free(walk->sibling);
	*walk = (struct prof_walk){0};
}

bool prof_walk_next(struct prof_walk *walk)
{
	if (walk->node == PROF_NONE) {
		walk->node = 0;
		walk->entering = true;
		return true;
	}
	uint32_t parent = walk->node;
	if (!walk->entering) {
		if (!walk->node)
			return false;
		parent = walk->tree->nodes.items[walk->node].parent;
		walk->child[parent] = walk->sibling[walk->node];
	}
	walk->entering = walk->child[parent] != PROF_NONE;
	walk->node = walk->entering ? walk->child[parent] : parent;
	return true;
}
