/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/pairs.h"

#include "base/error.h"
#include "metric/calltree.h"

#include <stdlib.h>

void prof_pairs_deinit(struct prof_pairs *pairs)
{
	free(pairs->list.items);
	prof_map_deinit(&pairs->index);
	*pairs = (struct prof_pairs){0};
}

static void add_function(struct prof_pairs *pairs, uint32_t function)
{
	if (function != PROF_NONE && function >= pairs->functions)
		pairs->functions = (size_t)function + 1;
}

struct prof_error *prof_pairs_add(
	struct prof_pairs *pairs, uint32_t caller, uint32_t callee, uint32_t *ret)
{
	uint64_t key = prof_map_pair(caller, callee);
	uint32_t pair = prof_map_get(&pairs->index, key);

	if (pair == PROF_NONE) {
		pair = (uint32_t)pairs->list.count;
		struct prof_pair *added = prof_map_push(&pairs->index, key, &pairs->list);
		if (!added)
			return prof_error_nomem();
		*added = (struct prof_pair){caller, callee};
		add_function(pairs, caller);
		add_function(pairs, callee);
	}
	*ret = pair;
	return NULL;
}

struct prof_error *prof_pairs_of_tree(
	struct prof_pairs *pairs, const struct prof_calltree *tree, uint32_t **ret)
{
	const struct prof_call *nodes = tree->nodes.items;
	AUTO_FREE uint32_t *by_node = malloc(tree->nodes.count * sizeof *by_node);

	if (!by_node)
		return prof_error_nomem();
	by_node[0] = PROF_NONE;
	for (size_t i = 1; i < tree->nodes.count; i++) {
		struct prof_error *error = prof_pairs_add(
			pairs, nodes[nodes[i].parent].function, nodes[i].function, &by_node[i]);
		if (error)
			return error;
	}
	*ret = steal(&by_node);
	return NULL;
}
