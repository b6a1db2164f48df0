/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A tower: boxes of a chart that are open, one below the other, while what is in them goes on.
 *
 * A box is added when it is opened, and has its width when it is closed.  If it turns out too
 * narrow then it is taken away, with all below it: these are the last ones that were added.
 */
#ifndef PROF_PICTURE_TOWER_H
#define PROF_PICTURE_TOWER_H

#include "picture/boxes.h"

/* An open box. */
struct prof_storey {
	uint32_t function;    /* item */
	uint32_t path;        /* for whoever opened it */
	bool chosen;          /* something in it must be shown */
	double begin;         /* where it is */
	double length, inner; /* what messages reported of it, and of what was closed in it */

	/* Private part. */
	size_t box; /* SIZE_MAX: it is too deep to have one */
	prof_value values[PROF_LAYERS_MOST], own;
	struct prof_cut narrow, deep; /* in it */
};

/* Set the first part; the rest is zeroes. */
struct prof_tower {
	struct prof_boxes *boxes; /* borrowed */
	double begin, span;       /* of the picture */
	double narrowest;         /* a share of SPAN */
	uint64_t max_depth;       /* as in struct prof_boxes_request */
	uint32_t row;             /* of the outermost boxes */

	PROF_ARRAY(struct prof_storey) open; /* the outermost first */
	uint32_t rows;                       /* the row below all boxes that were kept */
	double all;                          /* the lengths of all outermost boxes, added up */
	prof_value values[PROF_LAYERS_MOST]; /* of all */
	struct prof_cut narrow, deep;        /* of all; shares are of SPAN */
};

/* Frees what TOWER holds. */
void prof_tower_deinit(struct prof_tower *tower);

/* Opens a box of FUNCTION at BEGIN in the one that was opened last. */
struct prof_error *prof_tower_open(
	struct prof_tower *tower, uint32_t function, double begin) PROF_MUST_CHECK;

/* Adds VALUES, one of each layer, to the box that was opened last. */
void prof_tower_add(struct prof_tower *tower, const prof_value *values);

/* Closes the box that was opened last, at END. */
void prof_tower_close(struct prof_tower *tower, double end);

#endif
