/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The text that a box shows where the pointer rests on it. */
#ifndef PROF_PICTURE_HOVER_H
#define PROF_PICTURE_HOVER_H

#include <stddef.h>

struct prof_box;
struct prof_svg;
struct prof_text;

/* Adds lines to TEXT, escaped for XML: the name of the box NUMBER of SVG, then its figures. */
void prof_hover_print(const struct prof_svg *svg, size_t number, struct prof_text *text);

/* The name of BOX, borrowed, which is not to be trusted. */
const char *prof_hover_name(const struct prof_svg *svg, const struct prof_box *box);

#endif
