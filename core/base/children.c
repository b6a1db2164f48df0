/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/children.h"

#include <stdlib.h>

void prof_children_deinit(struct prof_children *children)
{
	free(children->firsts.items);
	prof_map_deinit(&children->others);
	*children = (struct prof_children){0};
}

bool prof_children_add(
	struct prof_children *children, uint32_t parent, uint32_t label, uint32_t node)
{
	static const struct prof_child none = {PROF_NONE, PROF_NONE};
	size_t known = children->firsts.count;

	if (parent >= known && !prof_array_reserve(&children->firsts, (size_t)parent + 1 - known))
		return false;
	for (; known <= parent; known++)
		children->firsts.items[known] = none;
	children->firsts.count = known;
	struct prof_child *first = &children->firsts.items[parent];
	if (first->node == PROF_NONE)
		*first = (struct prof_child){node, label};
	else if (!prof_map_add(&children->others, prof_map_pair(parent, label), node))
		return false;
	children->count++;
	return true;
}
