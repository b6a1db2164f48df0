#include "view/svg.h"

#include "metric/names.h"
#include "view/hover.h"
#include "view/number.h"
#include "view/xml.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MOST = 1 << 28 }; /* bytes: what is larger no viewer holds */

/* Pixels; flame.js knows MARGIN, INSET, BASE, THIN and COLUMN too. */
enum {
	MARGIN = 10, /* left and right of all */
	ROW = 18,    /* from one row of boxes to the next */
	BOX = 17,    /* of it, what a box takes */
	INSET = 3,   /* between a box's border and its name */
	BASE = 12,   /* from a box's upper border to the line that its name stands on */
	PART = 3,    /* the height of what shows shares at the foot of a box */
	THIN = 3,    /* what is narrower has no border */
	LINE = 18,   /* from one line of text to the next */
	HEAD = 76,   /* the title and the lines below it */
	SWATCH = 11, /* the width and height of a legend's colour */
};

#define COLUMN 7.23 /* pixels: how wide a character is, in fonts where all are */

/* Pixels. */
struct rectangle {
	double x, width;
	int y, height;
};

/* The least columns that a name is shown in. */
enum { LEAST_COLUMNS = 3 };

static const char *const style[] = {
#include "view/flame.css.inc"
};

static const char *const script[] = {
#include "view/flame.js.inc"
};

static void print_lines(const char *const *lines, size_t count, struct prof_text *text)
{
	for (size_t i = 0; i < count; i++)
		prof_text_bytes(text, lines[i], strlen(lines[i]));
}

/* Adds a number of pixels; those of narrow boxes are magnified, so no digit is one too many. */
static void print_pixels(const char *name, double pixels, struct prof_text *text)
{
	char number[PROF_NUMBER_TEXT];

	snprintf(number, sizeof number, "%.6f", pixels);
	size_t length = strlen(number);
	while (number[length - 1] == '0')
		length--;
	length -= number[length - 1] == '.';
	prof_text_print(text, " %s=\"%.*s\"", name, (int)length, number);
}

static void print_rectangle(
	const struct rectangle *rectangle, const char *class, struct prof_text *text)
{
	prof_text_print(text, "<rect class=\"%s\"", class);
	print_pixels("x", rectangle->x, text);
	prof_text_print(text, " y=\"%d\"", rectangle->y);
	print_pixels("width", rectangle->width, text);
	prof_text_print(text, " height=\"%d\"/>", rectangle->height);
}

/* How far down the boxes begin, and where the notes do. */
static int top_of(const struct prof_svg *svg)
{
	return HEAD + (svg->paint->legend.count ? LINE + 4 : 0);
}

static int foot_of(const struct prof_svg *svg)
{
	return top_of(svg) + (int)svg->boxes->rows * ROW + LINE;
}

static int count_lines(const char *text)
{
	int count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void print_line(const char *class, int y, const char *line, struct prof_text *text)
{
	prof_text_print(text, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, MARGIN, y);
	prof_xml_name(line, text);
	prof_text_print(text, "</text>\n");
}

/* What the colours stand for; what does not fit into the line is left out. */
static void print_legend(const struct prof_svg *svg, struct prof_text *text)
{
	double at = MARGIN;
	char class[32];

	for (size_t i = 0; i < svg->paint->legend.count; i++) {
		const struct prof_legend *legend = &svg->paint->legend.items[i];
		double width = SWATCH + 5 + COLUMN * (double)prof_text_width(legend->name);
		if (at + width > MARGIN + PROF_SVG_WIDTH)
			break;
		snprintf(class, sizeof class, "c%" PRIu32, legend->color);
		print_rectangle(&(struct rectangle){at, SWATCH, HEAD + 2, SWATCH}, class, text);
		prof_text_print(text, "<text");
		print_pixels("x", at + SWATCH + 5, text);
		prof_text_print(text, " y=\"%d\">", HEAD + 2 + SWATCH - 1);
		prof_xml_name(legend->name, text);
		prof_text_print(text, "</text>\n");
		at += width + 18;
	}
}

static void print_head(const struct prof_svg *svg, struct prof_text *text)
{
	int height = foot_of(svg) + count_lines(svg->notes) * LINE;

	prof_text_print(text,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n<title>",
		PROF_SVG_WIDTH + 2 * MARGIN, height, PROF_SVG_WIDTH + 2 * MARGIN, height);
	prof_xml_name(svg->title, text);
	prof_text_print(text, "</title>\n<style>\n");
	print_lines(style, PROF_COUNT(style), text);
	prof_text_print(
		text, "</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n");
}

/* What stays in view while the rest is scrolled: it is drawn last, over the boxes. */
static void print_sticky(const struct prof_svg *svg, struct prof_text *text)
{
	prof_text_print(text,
		"<g id=\"head\">\n<rect class=\"paper\" width=\"100%%\" height=\"%d\"/>\n",
		top_of(svg) - 1);
	print_line("title", 24, svg->title, text);
	print_line("dim", 43, svg->subtitle, text);
	prof_text_print(text, "<text id=\"details\" x=\"%d\" y=\"%d\"></text>\n", MARGIN, 64);
	print_legend(svg, text);
	prof_text_print(text, "</g>\n");
}

/* Where many boxes are of one colour, neighbours differ in their shade, which goes by the name. */
static const char *shade_of(const struct prof_svg *svg, const char *name)
{
	static const char *const shades[] = {"", " s1", " s2"};
	unsigned hash = 0;

	for (; *name; name++)
		hash = hash * 31 + (unsigned char)*name;
	return svg->color == PROF_COLOR_OBJECT ? shades[hash % PROF_COUNT(shades)] : "";
}

/* The short name that NAME has where there is no room for all of it, in a new string. */
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

/* Opens the group of a box that is called NAME, SHORTER in short, and so WIDE. */
static void print_group(const char *name, const char *shorter, double width, struct prof_text *text)
{
	prof_text_print(text, "<g%s", width < THIN ? " class=\"thin\"" : "");
	if (strcmp(name, shorter)) {
		prof_text_print(text, " data-base=\"");
		prof_xml_name(shorter, text);
		prof_text_print(text, "\"");
	}
	prof_text_print(text, "><title>");
}

/* At the foot of the box NUMBER, which is at PLACE, the shares that its states have of it. */
static void print_parts(const struct prof_svg *svg, size_t number, const struct rectangle *place,
	struct prof_text *text)
{
	const prof_value *values = prof_boxes_values(svg->boxes, number);
	struct rectangle part = {place->x, 0, place->y + BOX - PART, PART};
	size_t count = 0;
	prof_value whole = 0;

	for (size_t i = 0; i < svg->boxes->layers; i++) {
		whole += values[i];
		count += values[i] != 0;
	}
	if (svg->color != PROF_COLOR_STATE || place->width < 2 * THIN || count < 2)
		return;
	for (size_t i = 0; i < svg->boxes->layers; i++) {
		char class[32];
		snprintf(class, sizeof class, "part c%zu", PROF_PAINT_STATE + i);
		part.width = place->width * prof_value_percent(values[i], whole) / 100;
		if (values[i])
			print_rectangle(&part, class, text);
		part.x += part.width;
	}
}

static void print_box(const struct prof_svg *svg, size_t number, struct prof_text *text)
{
	const struct prof_box *box = &svg->boxes->items.items[number];
	const char *name = prof_hover_name(svg, box);
	AUTO_FREE char *shorter = short_name(name);
	const struct rectangle place = {MARGIN + box->begin * PROF_SVG_WIDTH,
		box->width * PROF_SVG_WIDTH, top_of(svg) + (int)box->row * ROW, BOX};
	double columns = floor((place.width - 2 * INSET) / COLUMN);
	char class[32];

	if (!shorter) {
		text->failed = true;
		return;
	}
	print_group(name, shorter, place.width, text);
	prof_hover_print(svg, number, text);
	prof_text_print(text, "</title>");
	snprintf(class, sizeof class, "c%" PRIu32 "%s", box->color, shade_of(svg, name));
	print_rectangle(&place, class, text);
	print_parts(svg, number, &place, text);
	if (columns >= LEAST_COLUMNS) {
		prof_text_print(text, "<text");
		print_pixels("x", place.x + INSET, text);
		prof_text_print(text, " y=\"%d\">", place.y + BASE);
		print_label(name, shorter, columns, text);
		prof_text_print(text, "</text>");
	}
	prof_text_print(text, "</g>\n");
}

static void print_notes(const struct prof_svg *svg, struct prof_text *text)
{
	int y = foot_of(svg);

	for (const char *at = svg->notes; *at;) {
		const char *end = strchrnul(at, '\n');
		AUTO_TEXT struct prof_text line = {0};
		prof_text_bytes(&line, at, (size_t)(end - at));
		print_line("dim", y, prof_text_get(&line), text);
		text->failed |= line.failed;
		y += LINE;
		at = *end ? end + 1 : end;
	}
}

struct prof_error *prof_svg_print(const struct prof_svg *svg, struct prof_text *text)
{
	print_head(svg, text);
	prof_text_print(text, "<g id=\"boxes\">\n");
	for (size_t i = 0; i < svg->boxes->items.count; i++) {
		print_box(svg, i, text);
		if (text->length > TEXT_MOST)
			return prof_error_create(PROF_ERROR_USAGE,
				"The picture has more than %d bytes: leave out the deeper boxes "
				"with --max-depth, or some of them with a filter.",
				TEXT_MOST);
	}
	prof_text_print(text, "</g>\n");
	print_notes(svg, text);
	print_sticky(svg, text);
	prof_text_print(text, "<script><![CDATA[\n");
	print_lines(script, PROF_COUNT(script), text);
	prof_text_print(text, "]]></script>\n</svg>\n");
	return prof_text_error(text);
}
