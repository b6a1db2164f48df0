/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/descent.h"

#include "base/map.h"
#include "metric/collapse.h"

#include <stdlib.h>

/* By parent, then among siblings as chosen; with ties, by number, the order of first encounter. */
static int compare_nodes(const void *left, const void *right, void *context)
{
	const struct prof_descent *descent = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	uint32_t one = descent->nodes[a].parent;
	uint32_t other = descent->nodes[b].parent;
	int result = (one > other) - (one < other);

	if (!result)
		result = descent->compare(a, b, descent->context);
	return result ? result : (a > b) - (a < b);
}

struct prof_error *prof_descent_init(struct prof_descent *descent,
	const struct prof_collapsed *tree, prof_descent_order *compare, const void *context)
{
	uint32_t count = (uint32_t)tree->nodes.count;

	*descent = (struct prof_descent){
		.nodes = tree->nodes.items,
		.count = count,
		.compare = compare,
		.context = context,
		.order = malloc(count * sizeof *descent->order),
		.position = malloc(count * sizeof *descent->position),
		.child = malloc(count * sizeof *descent->child),
	};
	if (!descent->order || !descent->position || !descent->child) {
		prof_descent_deinit(descent);
		return prof_error_nomem();
	}
	for (uint32_t i = 0; i < count; i++) {
		descent->order[i] = i + 1;
		descent->child[i] = PROF_NONE;
	}
	qsort_r(descent->order, count - 1, sizeof *descent->order, compare_nodes, descent);
	for (uint32_t i = count - 1; i-- > 0;) {
		uint32_t node = descent->order[i];
		descent->position[node] = i;
		descent->child[descent->nodes[node].parent] = node;
	}
	return NULL;
}

void prof_descent_deinit(struct prof_descent *descent)
{
	free(descent->order);
	free(descent->position);
	free(descent->child);
	*descent = (struct prof_descent){0};
}

/* The next sibling of NODE, or PROF_NONE. */
static uint32_t next_sibling(const struct prof_descent *descent, uint32_t node)
{
	uint32_t next = descent->position[node] + 1;

	if (next == descent->count - 1 ||
		descent->nodes[descent->order[next]].parent != descent->nodes[node].parent)
		return PROF_NONE;
	return descent->order[next];
}

uint32_t prof_descent_next(const struct prof_descent *descent, uint32_t node, bool into)
{
	uint32_t next = into ? descent->child[node] : PROF_NONE;

	while (next == PROF_NONE && node) {
		next = next_sibling(descent, node);
		node = descent->nodes[node].parent;
	}
	return next;
}

struct prof_error *prof_descent_walk(
	const struct prof_descent *descent, const struct prof_descent_visit *visit, uint64_t limit)
{
	uint32_t node = prof_descent_next(descent, 0, true);
	uint64_t added = 0;

	while (node != PROF_NONE) {
		bool joined = visit->is_joined && visit->is_joined(visit->context, node);
		if (limit && added == limit && !joined)
			break;
		bool cut = visit->is_cut(visit->context, node);
		if (!cut && !visit->add(visit->context, node))
			return prof_error_nomem();
		added += !cut && !joined;
		node = prof_descent_next(descent, node, !cut);
	}
	return NULL;
}
