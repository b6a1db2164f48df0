/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/hot_path.h"

#include "base/map.h"
#include "metric/collapse.h"

#include <stdlib.h>

static prof_value in_or_under(const struct prof_collapsed_node *node)
{
	return node->direct + node->indirect;
}

/* The child of NODE with the most, of several the first; or PROF_NONE. */
static uint32_t find_largest(const struct prof_collapsed_node *nodes, uint32_t node)
{
	uint32_t largest = PROF_NONE;

	for (uint32_t i = nodes[node].child; i != PROF_NONE; i = nodes[i].sibling) {
		if (!nodes[i].stub &&
			(largest == PROF_NONE ||
				in_or_under(&nodes[i]) > in_or_under(&nodes[largest])))
			largest = i;
	}
	return largest;
}

struct prof_error *prof_hot_path_find(struct prof_hot_path *path, const struct prof_collapsed *tree)
{
	const struct prof_collapsed_node *nodes = tree->nodes.items;
	prof_value total = in_or_under(&nodes[0]);
	uint32_t next;

	for (uint32_t node = 0; (next = find_largest(nodes, node)) != PROF_NONE; node = next) {
		prof_value value = in_or_under(&nodes[next]);
		if (value <= 0 || value <= nodes[node].in_only ||
			value < total / 100 * PROF_HOT_PATH_LEAST)
			break;
		uint32_t *added = prof_array_push(&path->nodes);
		if (!added)
			return prof_error_nomem();
		*added = next;
	}
	return NULL;
}

void prof_hot_path_deinit(struct prof_hot_path *path)
{
	free(path->nodes.items);
	*path = (struct prof_hot_path){0};
}
