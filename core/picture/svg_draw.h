/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files that write SVG share: measures, and the parts that pictures are made of. */
#ifndef PROF_PICTURE_SVG_DRAW_H
#define PROF_PICTURE_SVG_DRAW_H

#include <stdbool.h>

struct prof_svg;
struct prof_text;

/* Pixels; flame.js knows MARGIN, INSET, BASE, THIN and the column too. */
enum {
	PROF_SVG_MARGIN = 10, /* left and right of all */
	PROF_SVG_ROW = 18,    /* from one row of boxes to the next */
	PROF_SVG_BOX = 17,    /* of it, what a box takes */
	PROF_SVG_INSET = 3,   /* between a box's border and its name */
	PROF_SVG_BASE = 12,   /* from a box's upper border to the line that its name stands on */
	PROF_SVG_PART = 3,    /* the height of what shows shares at the foot of a box */
	PROF_SVG_THIN = 3,    /* what is narrower has no border */
	PROF_SVG_LINE = 18,   /* from one line of text to the next */
	PROF_SVG_HEAD = 76,   /* the title and the lines below it */
	PROF_SVG_SWATCH = 11, /* the width and height of a legend's colour */
};

#define PROF_SVG_COLUMN 7.23 /* pixels: how wide a character is, in fonts where all are */

/* Pixels. */
struct prof_rectangle {
	double x, width;
	int y, height;
};

/* Begins a picture with the title TITLE, which is not trusted, and so many pixels of HEIGHT. */
void prof_svg_begin(const char *title, int height, struct prof_text *text);

/* How many lines LINES has: each ends with a newline. */
int prof_svg_lines(const char *lines);

/* Adds the lines NOTES, which are not trusted, the first of them at Y. */
void prof_svg_notes(const char *notes, int y, struct prof_text *text);

/* Adds the attribute NAME, so many PIXELS. */
void prof_svg_pixels(const char *name, double pixels, struct prof_text *text);

/* Adds RECTANGLE, whose look is that of the class CLASS of flame.css. */
void prof_svg_rectangle(
	const struct prof_rectangle *rectangle, const char *class, struct prof_text *text);

/* Adds the text LINE, which is not trusted, at the left border. */
void prof_svg_line(const char *class, int y, const char *line, struct prof_text *text);

/* Begins a text at X and Y, to be ended with "</text>". */
void prof_svg_begin_text(double x, int y, struct prof_text *text);

/* Pixels: how far down the boxes of SVG begin, and the notes below them. */
int prof_svg_top(const struct prof_svg *svg);
int prof_svg_foot(const struct prof_svg *svg);

/* Are there marks to be drawn? */
bool prof_svg_has_marks(const struct prof_svg *svg);

/* Adds what a chart has in the part that stays in view: a scale, and the marks. */
void prof_svg_scale(const struct prof_svg *svg, struct prof_text *text);

/* Adds the titles of a chart's lanes. */
void prof_svg_lanes(const struct prof_svg *svg, struct prof_text *text);

/* Adds the arrows between them. */
void prof_svg_arrows(const struct prof_svg *svg, struct prof_text *text);

#endif
