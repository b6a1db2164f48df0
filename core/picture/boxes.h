/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Boxes: the rectangles of a flame graph, laid out over the width of the picture. */
#ifndef PROF_PICTURE_BOXES_H
#define PROF_PICTURE_BOXES_H

#include "base/progress.h"
#include "base/value.h"
#include "model/state.h"

#include <stdbool.h>

struct prof_calltree;

enum { PROF_LAYERS_MOST = PROF_STATES };

/*
 * The values of a call tree's nodes, in layers: a box is as wide as all layers together, and knows
 * what it has of each.
 */
struct prof_layers {
	size_t count;                             /* of the layers */
	const prof_value *self[PROF_LAYERS_MOST]; /* by node: of the stacks that end there */
	double scale[PROF_LAYERS_MOST];           /* what its values are multiplied by in widths */
};

struct prof_box {
	uint32_t function;   /* PROF_NONE: it is all of the picture */
	uint32_t row;        /* 0 is the uppermost */
	uint32_t color;      /* for whoever paints: 0 until then */
	double begin, width; /* shares of the picture's width, from 0 to 1 */
	prof_value own;      /* of all layers: of the stacks that end in it */
	bool top;            /* it is the outermost of a lane: see picture/chart.h */
};

/* What is not drawn: so many boxes, with all that would be below them, and their share of all. */
struct prof_cut {
	size_t boxes;
	double share; /* from 0 to 1 */
};

struct prof_boxes {
	PROF_ARRAY(struct prof_box) items; /* each before those below it, the widest first */
	size_t layers;                     /* how many there are */
	PROF_ARRAY(prof_value) values;     /* so many of each box: of the stacks that pass it */
	uint32_t rows;                     /* how many there are */
	struct prof_cut narrow, deep;
};

struct prof_boxes_request {
	const struct prof_calltree *tree;
	const struct prof_layers *layers;
	bool inverted;      /* the leaves stand in the first row, and below each what called it */
	uint64_t max_depth; /* what is deeper is cut; row 1 has depth 0 */
	double narrowest;   /* what is narrower is cut: a share of the width */
};

/*
 * Lays out what REQUEST, borrowed for the call, asks for, into BOXES.  The first box, in row 0, is
 * all of the picture.  A picture that is too large for any viewer is an error.
 */
struct prof_error *prof_boxes_init(struct prof_boxes *boxes,
	const struct prof_boxes_request *request,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Frees what BOXES holds; all zeroes is fine. */
void prof_boxes_deinit(struct prof_boxes *boxes);
#define AUTO_BOXES PROF_AUTO(prof_boxes_deinit)

/* Adds BOX with its VALUES, one of each layer; for whoever lays out otherwise. */
struct prof_error *prof_boxes_add(struct prof_boxes *boxes, const struct prof_box *box,
	const prof_value *values) PROF_MUST_CHECK;

/* The values of the box NUMBER, one of each layer. */
static inline const prof_value *prof_boxes_values(const struct prof_boxes *boxes, size_t number)
{
	return &boxes->values.items[number * boxes->layers];
}

#endif
