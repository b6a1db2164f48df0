/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/boxes.h"

#include "base/map.h"
#include "metric/calltree.h"

#include <stdlib.h>
#include <string.h>

enum { BOXES_MOST = 1 << 20 }; /* no viewer shows more */

/*
 * A place in the call tree.  Layouts from the root down have a node; those from the leaves up have
 * a node where stacks end, and how far up from there the walk is.
 */
struct entry {
	uint32_t origin; /* the node whose values count */
	uint32_t node;
};

/* A box to be drawn later: the places with its function, which are adjacent. */
struct group {
	uint32_t first, count; /* entries */
	uint32_t function, row;
	double begin, weight;
};

struct layout {
	const struct prof_boxes_request *request;
	const struct prof_progress *progress;
	struct prof_boxes *boxes;
	prof_value
		*inclusive[PROF_LAYERS_MOST]; /* by node; own values, if the layout is inverted */
	struct entry *entries;
	uint32_t *
		start; /* by node: its first child in the entries; NULL if the layout is inverted */
	PROF_ARRAY(struct group) pending; /* a stack: the next one is the last */
	double whole;                     /* the sum of all weights */
};

static void layout_deinit(struct layout *layout)
{
	for (size_t i = 0; i < PROF_LAYERS_MOST; i++)
		free(layout->inclusive[i]);
	free(layout->entries);
	free(layout->start);
	free(layout->pending.items);
}

void prof_boxes_deinit(struct prof_boxes *boxes)
{
	free(boxes->items.items);
	free(boxes->values.items);
	*boxes = (struct prof_boxes){0};
}

struct prof_error *prof_boxes_add(
	struct prof_boxes *boxes, const struct prof_box *box, const prof_value *values)
{
	if (boxes->items.count == BOXES_MOST)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"The picture has more than %d boxes: leave out the deeper ones with --max-depth, or some of them with a filter.",
			BOXES_MOST);
	if (!prof_array_reserve(&boxes->items, 1) ||
		!prof_array_reserve(&boxes->values, boxes->layers))
		return prof_error_nomem();
	boxes->items.items[boxes->items.count++] = *box;
	memcpy(&boxes->values.items[boxes->values.count], values, boxes->layers * sizeof *values);
	boxes->values.count += boxes->layers;
	if (boxes->rows <= box->row)
		boxes->rows = box->row + 1;
	return NULL;
}

/* Its share of the width of the picture. */
static double weight_of(const struct layout *layout, uint32_t origin)
{
	const struct prof_layers *layers = layout->request->layers;
	double weight = 0;

	for (size_t i = 0; i < layers->count; i++)
		weight += layers->scale[i] * prof_value_double(layout->inclusive[i][origin]);
	return weight;
}

/* Makes an entry of each node; the children of a node are adjacent. */
static void enter_nodes(struct layout *layout)
{
	const struct prof_calltree *tree = layout->request->tree;
	uint32_t count = (uint32_t)tree->nodes.count;
	uint32_t *start = layout->start;

	for (uint32_t i = 1; i < count; i++)
		start[tree->nodes.items[i].parent + 1]++;
	start[0] = 1;
	for (uint32_t i = 1; i <= count; i++)
		start[i] += start[i - 1];
	layout->entries[0] = (struct entry){0, 0};
	for (uint32_t i = 1; i < count; i++)
		layout->entries[start[tree->nodes.items[i].parent]++] = (struct entry){i, i};
	/* Filling the entries has moved each start to where the next one begins. */
	memmove(start + 1, start, count * sizeof *start);
	start[0] = 1;
}

/* Makes an entry of each node where stacks end.  Returns how many there are. */
static uint32_t enter_leaves(struct layout *layout)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < layout->request->tree->nodes.count; i++) {
		if (weight_of(layout, i) > 0)
			layout->entries[count++] = (struct entry){i, i};
	}
	return count;
}

static struct prof_error *begin(struct layout *layout)
{
	const struct prof_boxes_request *request = layout->request;
	const struct prof_layers *layers = request->layers;
	size_t count = request->tree->nodes.count;

	layout->entries = malloc(count * sizeof *layout->entries);
	layout->start = calloc(count + 1, sizeof *layout->start);
	struct group *group = prof_array_push(&layout->pending);
	if (!layout->entries || !layout->start || !group)
		return prof_error_nomem();
	*group = (struct group){.count = 1, .function = PROF_NONE};
	for (size_t i = 0; i < layers->count; i++) {
		layout->inclusive[i] = malloc(count * sizeof *layout->inclusive[i]);
		if (!layout->inclusive[i])
			return prof_error_nomem();
		memcpy(layout->inclusive[i], layers->self[i], count * sizeof *layers->self[i]);
		if (!request->inverted)
			prof_calltree_accumulate(request->tree, layout->inclusive[i]);
	}
	if (request->inverted)
		group->count = enter_leaves(layout);
	else
		enter_nodes(layout);
	for (uint32_t i = 0; i < group->count; i++)
		group->weight += weight_of(layout, layout->entries[i].origin);
	layout->whole = group->weight;
	return NULL;
}

static struct prof_error *add_box(struct layout *layout, const struct group *group)
{
	const struct prof_layers *layers = layout->request->layers;
	prof_value values[PROF_LAYERS_MOST] = {0};
	struct prof_box box = {
		.function = group->function,
		.row = group->row,
		.begin = layout->whole > 0 ? group->begin / layout->whole : 0,
		.width = layout->whole > 0 ? group->weight / layout->whole : 1,
	};

	for (uint32_t i = group->first; i < group->first + group->count; i++) {
		const struct entry *entry = &layout->entries[i];
		bool ends = layout->request->inverted
			? group->row && !layout->request->tree->nodes.items[entry->node].parent
			: true;
		for (size_t j = 0; j < layers->count; j++) {
			values[j] += layout->inclusive[j][entry->origin];
			box.own += ends ? layers->self[j][entry->origin] : 0;
		}
	}
	return prof_boxes_add(layout->boxes, &box, values);
}

static bool add_group(struct layout *layout, const struct group *parent, uint32_t first)
{
	const struct entry *entry = &layout->entries[first];
	struct group *group = prof_array_push(&layout->pending);

	if (group)
		*group = (struct group){
			.first = first,
			.count = 1,
			.function = layout->request->tree->nodes.items[entry->node].function,
			.row = parent->row + 1,
			.weight = weight_of(layout, entry->origin),
		};
	return group != NULL;
}

/* Adds the callees of GROUP, which is of one node. */
static bool add_callees(struct layout *layout, const struct group *group)
{
	uint32_t node = layout->entries[group->first].node;

	for (uint32_t i = layout->start[node]; i < layout->start[node + 1]; i++) {
		if (!add_group(layout, group, i))
			return false;
	}
	return true;
}

static int compare_entries(const void *left, const void *right, void *tree)
{
	const struct prof_call *nodes = ((const struct prof_calltree *)tree)->nodes.items;
	const struct entry *a = left, *b = right;
	uint32_t one = nodes[a->node].function, other = nodes[b->node].function;

	if (one != other)
		return one < other ? -1 : 1;
	return (a->origin > b->origin) - (a->origin < b->origin);
}

/* Sorts COUNT entries; in recursion they are often in order already. */
static void sort_entries(struct entry *entries, size_t count, const struct prof_calltree *tree)
{
	for (size_t i = 1; i < count; i++) {
		if (compare_entries(&entries[i - 1], &entries[i], (void *)tree) <= 0)
			continue;
		qsort_r(entries, count, sizeof *entries, compare_entries, (void *)tree);
		return;
	}
}

/* Adds the callers of GROUP: its places go up by one level, or end. */
static bool add_callers(struct layout *layout, const struct group *group)
{
	const struct prof_calltree *tree = layout->request->tree;
	struct entry *entries = layout->entries + group->first;
	uint32_t count = 0;

	for (uint32_t i = 0; i < group->count; i++) {
		struct entry entry = entries[i];
		/* The first row shows the places themselves, later ones their callers. */
		if (group->row)
			entry.node = tree->nodes.items[entry.node].parent;
		if (entry.node)
			entries[count++] = entry;
	}
	sort_entries(entries, count, tree);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t function = tree->nodes.items[entries[i].node].function;
		struct group *last = &layout->pending.items[layout->pending.count - 1];
		if (i && last->function == function) {
			last->count++;
			last->weight += weight_of(layout, entries[i].origin);
		} else if (!add_group(layout, group, group->first + i)) {
			return false;
		}
	}
	return true;
}

/* The widest comes last; of the same width, the one that was met first. */
static int compare_groups(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return (a->first < b->first) - (a->first > b->first);
}

/*
 * Gives the groups from number FIRST on, which are below PARENT, their places, and drops those that
 * are too narrow or too deep.
 */
static void place(struct layout *layout, size_t first, const struct group *parent)
{
	struct group *groups = layout->pending.items + first;
	size_t count = layout->pending.count - first;
	bool deep = parent->row > layout->request->max_depth;
	struct prof_cut *cut = deep ? &layout->boxes->deep : &layout->boxes->narrow;
	double begin = parent->begin;
	size_t gone = 0;

	if (!count)
		return;
	qsort(groups, count, sizeof *groups, compare_groups);
	for (size_t i = count; i-- > 0;) {
		groups[i].begin = begin;
		begin += groups[i].weight;
	}
	for (; gone < count; gone++) {
		double share = layout->whole > 0 ? groups[gone].weight / layout->whole : 0;
		if (!deep && share >= layout->request->narrowest && share > 0)
			break;
		cut->boxes += share > 0;
		cut->share += share;
	}
	memmove(groups, groups + gone, (count - gone) * sizeof *groups);
	layout->pending.count -= gone;
}

/* Draws the next box, and adds the ones below it. */
static struct prof_error *step(struct layout *layout)
{
	const struct group group = layout->pending.items[--layout->pending.count];
	size_t first = layout->pending.count;
	struct prof_error *error = add_box(layout, &group);

	if (error)
		return error;
	bool added = layout->request->inverted ? add_callers(layout, &group)
					       : add_callees(layout, &group);
	if (!added)
		return prof_error_nomem();
	place(layout, first, &group);
	return NULL;
}

struct prof_error *prof_boxes_init(struct prof_boxes *boxes,
	const struct prof_boxes_request *request, const struct prof_progress *progress)
{
	PROF_AUTO(layout_deinit)
	struct layout layout = {.request = request, .progress = progress, .boxes = boxes};
	size_t count = request->tree->nodes.count;

	*boxes = (struct prof_boxes){.layers = request->layers->count};
	struct prof_error *error = begin(&layout);
	while (!error && layout.pending.count) {
		if (boxes->items.count % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				progress, "Laying out boxes", boxes->items.count, count);
		if (!error)
			error = step(&layout);
	}
	return error;
}
