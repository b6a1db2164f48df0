/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paint: the colours of a flame graph's boxes, and what they stand for. */
#ifndef PROF_PICTURE_PAINT_H
#define PROF_PICTURE_PAINT_H

#include "base/error.h"
#include "model/state.h"

#include <stdint.h>

struct prof_boxes;
struct prof_experiment;
struct prof_layers;

/* Colours by number: the class cN in flame.css has the look of number N. */
enum {
	PROF_PAINT_WHOLE,       /* the box that is all of it */
	PROF_PAINT_OBJECT,      /* load objects, those with the largest area first */
	PROF_PAINT_OBJECTS = 8, /* so many have a colour of their own */
	PROF_PAINT_OTHERS = PROF_PAINT_OBJECT + PROF_PAINT_OBJECTS,
	PROF_PAINT_UNKNOWN,                                     /* code of no known load object */
	PROF_PAINT_STATE,                                       /* by enum prof_state */
	PROF_PAINT_DIFFERENCE = PROF_PAINT_STATE + PROF_STATES, /* from gone to new */
	PROF_PAINT_STEPS = 9,                                   /* so many of them */
};

/* What boxes are coloured by. */
enum prof_color {
	PROF_COLOR_OBJECT,     /* one layer */
	PROF_COLOR_STATE,      /* a layer for each enum prof_state */
	PROF_COLOR_DIFFERENCE, /* two layers: A and B */
	PROF_COLORS,
};

/* The words for them. */
extern const char *const prof_color_names[PROF_COLORS];

/* A colour and what it stands for: a name that is not to be trusted, borrowed. */
struct prof_legend {
	uint32_t color; /* number, as above */
	const char *name;
};

struct prof_paint {
	PROF_ARRAY(struct prof_legend) legend;
};

/* Frees what PAINT holds; all zeroes is fine. */
void prof_paint_deinit(struct prof_paint *paint);
#define AUTO_PAINT PROF_AUTO(prof_paint_deinit)

/* The base name of the load object that FUNCTION of EXPERIMENT is in, borrowed. */
const char *prof_paint_object_name(const struct prof_experiment *experiment, uint32_t function);

/* Colours BOXES, of functions of EXPERIMENT, and made of LAYERS that are as COLOR has them. */
struct prof_error *prof_paint_boxes(struct prof_paint *paint, enum prof_color color,
	struct prof_boxes *boxes, const struct prof_layers *layers,
	const struct prof_experiment *experiment) PROF_MUST_CHECK;

#endif
