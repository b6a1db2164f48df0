/* Paint: the colours of a flame graph's boxes, and what they stand for. */
#ifndef PROF_VIEW_PAINT_H
#define PROF_VIEW_PAINT_H

#include "experiment/experiment.h"
#include "view/boxes.h"

/* Colours by number: what number N looks like says the class cN in flame.css. */
enum {
	PROF_PAINT_WHOLE,       /* the box that is all of it */
	PROF_PAINT_OBJECT,      /* load objects, those with the largest area first */
	PROF_PAINT_OBJECTS = 8, /* so many have a colour of their own */
	PROF_PAINT_OTHERS = PROF_PAINT_OBJECT + PROF_PAINT_OBJECTS,
	PROF_PAINT_UNKNOWN, /* code of no known load object */
};

/* A colour and what it stands for: a name that is not to be trusted, borrowed. */
struct prof_legend {
	uint32_t color;
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

/* Colours BOXES, of functions of EXPERIMENT, by their load objects. */
struct prof_error *prof_paint_objects(struct prof_paint *paint, struct prof_boxes *boxes,
	const struct prof_experiment *experiment) PROF_MUST_CHECK;

#endif
