/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/call_tree.h"

#include <assert.h>
#include <stdlib.h>

static struct prof_error *push(
	struct prof_tree *tree, uint32_t parent, uint32_t name, uint32_t *ret)
{
	size_t node = tree->nodes.count;

	if (node >= PROF_NONE || !prof_array_reserve(&tree->nodes, 1) ||
		!prof_array_reserve(&tree->last, 1))
		return prof_error_nomem();
	tree->nodes.items[tree->nodes.count++] = (struct prof_node){
		.name = name, .parent = parent, .first = PROF_NONE, .next = PROF_NONE};
	tree->last.items[tree->last.count++] = PROF_NONE;
	*ret = (uint32_t)node;
	return NULL;
}

struct prof_error *prof_tree_init(struct prof_tree *tree)
{
	uint32_t top;

	*tree = (struct prof_tree){0};
	return push(tree, PROF_NONE, PROF_NONE, &top);
}

void prof_tree_deinit(struct prof_tree *tree)
{
	free(tree->nodes.items);
	free(tree->last.items);
	*tree = (struct prof_tree){0};
}

struct prof_error *prof_tree_add(
	struct prof_tree *tree, uint32_t parent, uint32_t name, uint32_t *ret)
{
	struct prof_error *error = push(tree, parent, name, ret);

	if (error)
		return error;
	uint32_t before = tree->last.items[parent];
	*(before == PROF_NONE ? &tree->nodes.items[parent].first
			      : &tree->nodes.items[before].next) = *ret;
	tree->last.items[parent] = *ret;
	return NULL;
}

void prof_tree_check(const struct prof_tree *tree)
{
	const struct prof_node *nodes = tree->nodes.items;

	assert(tree->nodes.count > 0 && tree->nodes.count < PROF_NONE);
	assert(tree->last.count == tree->nodes.count);
	assert(nodes[0].parent == PROF_NONE && nodes[0].next == PROF_NONE);
	assert(!nodes[0].cost && !nodes[0].time);
	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		uint32_t last = PROF_NONE;
		assert(!i || nodes[i].parent < i);
		assert(nodes[i].cost >= 0 && nodes[i].time >= 0);
		for (uint32_t sub = nodes[i].first; sub != PROF_NONE; sub = nodes[sub].next) {
			assert(nodes[sub].parent == i);
			assert(sub > (last == PROF_NONE ? i : last));
			last = sub;
		}
		assert(tree->last.items[i] == last);
		/* Depth first: a node is a sub-call of the one before, or of one above that. */
		uint32_t above = i ? i - 1 : PROF_NONE;
		while (i && above != nodes[i].parent)
			above = nodes[above].parent;
	}
}
