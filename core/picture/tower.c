/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/tower.h"

#include <assert.h>
#include <stdlib.h>

void prof_tower_deinit(struct prof_tower *tower)
{
	free(tower->open.items);
}

struct prof_error *prof_tower_open(struct prof_tower *tower, uint32_t function, double begin)
{
	const prof_value none[PROF_LAYERS_MOST] = {0};
	size_t depth = tower->open.count;
	const struct prof_box box = {
		.function = function,
		.row = tower->row + (uint32_t)depth,
		.begin = (begin - tower->begin) / tower->span,
		.top = !depth,
	};
	struct prof_storey *storey = prof_array_push(&tower->open);

	if (!storey)
		return prof_error_nomem();
	*storey = (struct prof_storey){.function = function, .begin = begin, .box = SIZE_MAX};
	if (depth > tower->max_depth)
		return NULL;
	storey->box = tower->boxes->items.count;
	return prof_boxes_add(tower->boxes, &box, none);
}

void prof_tower_add(struct prof_tower *tower, const prof_value *values)
{
	struct prof_storey *storey = &tower->open.items[tower->open.count - 1];

	for (size_t i = 0; i < tower->boxes->layers; i++) {
		storey->values[i] += values[i];
		storey->own += values[i];
	}
}

static void add_cut(struct prof_cut *to, const struct prof_cut *cut)
{
	to->boxes += cut->boxes;
	to->share += cut->share;
}

/* Closes the box of STOREY, and all that were opened since. */
static void take_away(struct prof_tower *tower, const struct prof_storey *storey)
{
	if (storey->box == SIZE_MAX)
		return;
	tower->boxes->items.count = storey->box;
	tower->boxes->values.count = storey->box * tower->boxes->layers;
}

/* Gives the box of STOREY its WIDTH, a share, and its values. */
static void keep(struct prof_tower *tower, const struct prof_storey *storey, double width)
{
	struct prof_box *box = &tower->boxes->items.items[storey->box];
	size_t layers = tower->boxes->layers;

	box->width = width;
	box->own = storey->own;
	for (size_t i = 0; i < layers; i++)
		tower->boxes->values.items[storey->box * layers + i] = storey->values[i];
	if (tower->rows <= box->row)
		tower->rows = box->row + 1;
}

void prof_tower_close(struct prof_tower *tower, double end)
{
	assert(tower->open.count);
	const struct prof_storey storey = tower->open.items[--tower->open.count];
	struct prof_storey *above =
		tower->open.count ? &tower->open.items[tower->open.count - 1] : NULL;
	struct prof_cut *narrow = above ? &above->narrow : &tower->narrow;
	struct prof_cut *deep = above ? &above->deep : &tower->deep;
	double length = end - storey.begin;
	const struct prof_cut cut = {length > 0, length / tower->span};

	if (above) {
		above->inner += length;
		above->chosen |= storey.chosen;
	} else if (storey.chosen) {
		tower->all += length;
	}
	for (size_t i = 0; i < tower->boxes->layers; i++)
		*(above ? &above->values[i] : &tower->values[i]) += storey.values[i];
	if (!storey.chosen) {
		take_away(tower, &storey);
	} else if (storey.box == SIZE_MAX) {
		add_cut(deep, &cut);
	} else if (!(cut.share >= tower->narrowest) || !(length > 0)) {
		take_away(tower, &storey);
		add_cut(narrow, &cut);
	} else {
		keep(tower, &storey, cut.share);
		add_cut(narrow, &storey.narrow);
		add_cut(deep, &storey.deep);
	}
}
