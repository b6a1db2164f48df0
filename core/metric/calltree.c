/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/calltree.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

/* The key of a stack in a tree. */
struct wanted {
	const struct prof_calltree *tree;
	const uint32_t *functions;
	size_t depth;
};

/* Does the path from NODE up to the root spell the wanted stack, backwards? */
static bool spells(const void *context, uint32_t node)
{
	const struct wanted *wanted = context;
	const struct prof_call *nodes = wanted->tree->nodes.items;

	for (size_t i = wanted->depth; i-- > 0; node = nodes[node].parent) {
		if (nodes[node].function != wanted->functions[i])
			return false;
	}
	return !node;
}

struct prof_error *prof_calltree_init(struct prof_calltree *tree)
{
	*tree = (struct prof_calltree){0};
	struct prof_call *root = prof_array_push(&tree->nodes);
	if (!root)
		return prof_error_nomem();
	*root = (struct prof_call){.parent = PROF_NONE, .function = PROF_NONE};
	return NULL;
}

void prof_calltree_deinit(struct prof_calltree *tree)
{
	free(tree->nodes.items);
	prof_children_deinit(&tree->children);
	prof_map_deinit(&tree->stacks);
	*tree = (struct prof_calltree){0};
}

struct prof_error *prof_calltree_child(
	struct prof_calltree *tree, uint32_t parent, uint32_t function, uint32_t *ret)
{
	assert(parent < tree->nodes.count && function != PROF_NONE);
	uint32_t node = prof_children_find(&tree->children, parent, function);

	if (node == PROF_NONE) {
		node = (uint32_t)tree->nodes.count;
		struct prof_call *added =
			prof_children_push(&tree->children, parent, function, &tree->nodes);
		if (!added)
			return prof_error_nomem();
		*added = (struct prof_call){parent, function};
		if (tree->functions <= function)
			tree->functions = function + 1;
	}
	*ret = node;
	return NULL;
}

struct prof_error *prof_calltree_add(
	struct prof_calltree *tree, const uint32_t *functions, size_t depth, uint32_t *ret)
{
	struct wanted wanted = {tree, functions, depth};

	if (!depth) {
		*ret = 0;
		return NULL;
	}
	uint64_t hash = prof_map_hash(functions, depth * sizeof *functions);
	uint32_t node = prof_map_find(&tree->stacks, hash, spells, &wanted);

	if (node == PROF_NONE) {
		node = 0;
		for (size_t i = 0; i < depth; i++) {
			struct prof_error *error =
				prof_calltree_child(tree, node, functions[i], &node);
			if (error)
				return error;
		}
		if (!prof_map_add(&tree->stacks, hash, node))
			return prof_error_nomem();
	}
	*ret = node;
	return NULL;
}

void prof_calltree_accumulate(const struct prof_calltree *tree, prof_value *inclusive)
{
	/* In reverse order, all children of a node have been added to it before its own turn. */
	for (size_t i = tree->nodes.count; i-- > 1;)
		inclusive[tree->nodes.items[i].parent] += inclusive[i];
}

void prof_calltree_check(const struct prof_calltree *tree)
{
	const struct prof_call *nodes = tree->nodes.items;
	uint32_t functions = 0;

	assert(tree->nodes.count > 0 && tree->nodes.count <= PROF_NONE);
	assert(nodes[0].parent == PROF_NONE && nodes[0].function == PROF_NONE);
	assert(tree->children.count == tree->nodes.count - 1);
	assert(tree->stacks.count <= tree->nodes.count);
	for (uint32_t i = 1; i < tree->nodes.count; i++) {
		assert(nodes[i].parent < i);
		assert(nodes[i].function != PROF_NONE);
		/* No other child of that parent has that function: it would have been found. */
		assert(prof_children_find(&tree->children, nodes[i].parent, nodes[i].function) ==
			i);
		if (functions <= nodes[i].function)
			functions = nodes[i].function + 1;
	}
	assert(tree->functions == functions);
}
