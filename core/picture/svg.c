/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/svg_draw.h"

#include "base/value.h"
#include "metric/names.h"
#include "picture/boxes.h"
#include "picture/hover.h"
#include "picture/paint.h"
#include "picture/svg.h"
#include "picture/xml.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	DETAILS = 64, /* pixels from a box down to the line that describes it */
};

/* A name is shown if at least so many columns fit. */
enum { LEAST_COLUMNS = 3 };

static const char *const script[] = {
#include "picture/flame.js.inc"
};

/* The legend of the colours; entries that do not fit into the line are left out. */
static void print_legend(const struct prof_svg *svg, struct prof_text *text)
{
	double at = PROF_SVG_MARGIN;
	char class[32];

	for (size_t i = 0; i < svg->paint->legend.count; i++) {
		const struct prof_legend *legend = &svg->paint->legend.items[i];
		double width = PROF_SVG_SWATCH + 5 +
			PROF_SVG_COLUMN * (double)prof_text_width(legend->name);
		if (at + width > PROF_SVG_MARGIN + PROF_SVG_WIDTH)
			break;
		snprintf(class, sizeof class, "c%" PRIu32, legend->color);
		prof_svg_rectangle(&(struct prof_rectangle){at, PROF_SVG_SWATCH, PROF_SVG_HEAD + 2,
					   PROF_SVG_SWATCH},
			class, text);
		prof_svg_begin_text(
			at + PROF_SVG_SWATCH + 5, PROF_SVG_HEAD + 2 + PROF_SVG_SWATCH - 1, text);
		prof_xml_name(legend->name, text);
		prof_text_print(text, "</text>\n");
		at += width + 18;
	}
}

/* The line that describes a box: at first, the box for everything. */
static void print_details(const struct prof_svg *svg, struct prof_text *text)
{
	AUTO_TEXT struct prof_text about = {0};

	prof_hover_print(svg, 0, &about);
	prof_text_print(text, "<text id=\"details\" x=\"%d\" y=\"%d\">", PROF_SVG_MARGIN, DETAILS);
	for (const char *at = prof_text_get(&about); *at; at++)
		prof_text_bytes(text, *at == '\n' ? "   " : at, *at == '\n' ? 3 : 1);
	prof_text_print(text, "</text>\n");
	text->failed |= about.failed;
}

/* What stays in place while the rest is scrolled: it is drawn last, over the boxes. */
static void print_sticky(const struct prof_svg *svg, struct prof_text *text)
{
	prof_text_print(text,
		"<g id=\"head\">\n<rect class=\"paper\" width=\"100%%\" height=\"%d\"/>\n",
		prof_svg_top(svg) - 1);
	prof_svg_line("title", 24, svg->title, text);
	prof_svg_line("dim", 43, svg->subtitle, text);
	print_details(svg, text);
	print_legend(svg, text);
	prof_svg_scale(svg, text);
	prof_text_print(text, "</g>\n");
}

/* If many boxes have one colour, neighbours differ in a shade that depends on the name. */
static const char *shade_of(const struct prof_svg *svg, const char *name)
{
	static const char *const shades[] = {"", " s1", " s2"};
	unsigned hash = 0;

	for (; *name; name++)
		hash = hash * 31 + (unsigned char)*name;
	return svg->color == PROF_COLOR_OBJECT ? shades[hash % PROF_COUNT(shades)] : "";
}

/* The short form of NAME for narrow boxes, in a new string. */
static char *short_name(const char *name)
{
	const char *begin;
	size_t length = prof_names_base(name, &begin);

	return strndup(begin, length);
}

/* Adds as much of NAME, or of its SHORTER form, as fits into COLUMNS. */
static void print_label(
	const char *name, const char *shorter, double columns, struct prof_text *text)
{
	bool fits = (double)prof_text_width(name) <= columns;

	prof_xml_name_cut(fits ? name : shorter, (size_t)columns, text);
}

/* Opens the group of BOX, whose name is NAME, and whose short name is SHORTER. */
static void print_group(
	const struct prof_box *box, const char *name, const char *shorter, struct prof_text *text)
{
	bool thin = box->width * PROF_SVG_WIDTH < PROF_SVG_THIN;

	prof_text_print(text, "<g");
	if (thin || box->top)
		prof_text_print(text, " class=\"%s%s%s\"", thin ? "thin" : "",
			thin && box->top ? " " : "", box->top ? "top" : "");
	if (strcmp(name, shorter)) {
		prof_text_print(text, " data-base=\"");
		prof_xml_name(shorter, text);
		prof_text_print(text, "\"");
	}
	prof_text_print(text, "><title>");
}

/* Draws the shares of its states at the bottom of the box NUMBER, which is at PLACE. */
static void print_parts(const struct prof_svg *svg, size_t number,
	const struct prof_rectangle *place, struct prof_text *text)
{
	const prof_value *values = prof_boxes_values(svg->boxes, number);
	struct prof_rectangle part = {
		place->x, 0, place->y + PROF_SVG_BOX - PROF_SVG_PART, PROF_SVG_PART};
	size_t count = 0;
	prof_value whole = 0;

	for (size_t i = 0; i < svg->boxes->layers; i++) {
		whole += values[i];
		count += values[i] != 0;
	}
	if (svg->color != PROF_COLOR_STATE || svg->chart || place->width < 2 * PROF_SVG_THIN ||
		count < 2)
		return;
	for (size_t i = 0; i < svg->boxes->layers; i++) {
		char class[32];
		snprintf(class, sizeof class, "part c%zu", PROF_PAINT_STATE + i);
		part.width = place->width * prof_value_percent(values[i], whole) / 100;
		if (values[i])
			prof_svg_rectangle(&part, class, text);
		part.x += part.width;
	}
}

static void print_box(const struct prof_svg *svg, size_t number, struct prof_text *text)
{
	const struct prof_box *box = &svg->boxes->items.items[number];
	const char *name = prof_hover_name(svg, box);
	AUTO_FREE char *shorter = short_name(name);
	const struct prof_rectangle place = {PROF_SVG_MARGIN + box->begin * PROF_SVG_WIDTH,
		box->width * PROF_SVG_WIDTH, prof_svg_top(svg) + (int)box->row * PROF_SVG_ROW,
		PROF_SVG_BOX};
	double columns = floor((place.width - 2 * PROF_SVG_INSET) / PROF_SVG_COLUMN);
	char class[32];

	if (!shorter) {
		text->failed = true;
		return;
	}
	print_group(box, name, shorter, text);
	prof_hover_print(svg, number, text);
	prof_text_print(text, "</title>");
	snprintf(class, sizeof class, "c%" PRIu32 "%s", box->color, shade_of(svg, name));
	prof_svg_rectangle(&place, class, text);
	print_parts(svg, number, &place, text);
	if (columns >= LEAST_COLUMNS) {
		prof_svg_begin_text(place.x + PROF_SVG_INSET, place.y + PROF_SVG_BASE, text);
		print_label(name, shorter, columns, text);
		prof_text_print(text, "</text>");
	}
	prof_text_print(text, "</g>\n");
}

struct prof_error *prof_svg_print(const struct prof_svg *svg, struct prof_text *text)
{
	prof_svg_begin(
		svg->title, prof_svg_foot(svg) + prof_svg_lines(svg->notes) * PROF_SVG_LINE, text);
	prof_text_print(text, "<g id=\"boxes\">\n");
	for (size_t i = 0; i < svg->boxes->items.count && !text->failed; i++) {
		print_box(svg, i, text);
		if (text->length > PROF_TEXT_SHOWN)
			return prof_error_create(PROF_ERROR_TOO_LARGE,
				"The picture has more than %d bytes: leave out the deeper boxes with --max-depth, or some of them with a filter.",
				PROF_TEXT_SHOWN);
	}
	prof_text_print(text, "</g>\n");
	prof_svg_lanes(svg, text);
	prof_svg_arrows(svg, text);
	prof_svg_notes(svg->notes, prof_svg_foot(svg), text);
	print_sticky(svg, text);
	prof_text_print(text, "<script><![CDATA[\n");
	for (size_t i = 0; i < PROF_COUNT(script); i++)
		prof_text_print(text, "%s", script[i]);
	prof_text_print(text, "]]></script>\n</svg>\n");
	return prof_text_error(text);
}
