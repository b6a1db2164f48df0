/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The SVG of a picture: its boxes, its words, its style and its script. */
#ifndef PROF_PICTURE_SVG_H
#define PROF_PICTURE_SVG_H

#include "base/text.h"
#include "picture/paint.h"

struct prof_boxes;
struct prof_chart;
struct prof_experiment;
struct prof_metric;

/* Pixels: how wide boxes are drawn where no script fits them to the window. */
enum { PROF_SVG_WIDTH = 1180 };

/* What is drawn; all but the boxes is borrowed. */
struct prof_svg {
	const struct prof_experiment *names; /* whose functions the boxes are of */
	const struct prof_metric *metric;
	const struct prof_boxes *boxes;
	const struct prof_chart *chart; /* that the boxes are of; NULL: none */
	bool inverted;                  /* what ends in a box is no function's own then */
	bool normalized;                /* of a difference: shares are compared */
	enum prof_color color;          /* what the colours and the layers of the boxes are */
	const struct prof_paint *paint;
	const char *title, *subtitle; /* a line each; names in them are not trusted */
	const char *notes;            /* lines below the boxes */
};

/* Prints SVG into TEXT.  What is too large for any viewer is refused. */
struct prof_error *prof_svg_print(
	const struct prof_svg *svg, struct prof_text *text) PROF_MUST_CHECK;

#endif
