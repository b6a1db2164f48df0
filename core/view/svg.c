#include "view/svg.h"

#include "metric/names.h"
#include "view/number.h"
#include "view/print.h"
#include "view/xml.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MOST = 1 << 28 }; /* bytes: what is larger no viewer holds */

/* Pixels; flame.js knows MARGIN, INSET and COLUMN too. */
enum {
	MARGIN = 10, /* left and right of all */
	ROW = 18,    /* from one row of boxes to the next */
	BOX = 17,    /* of it, what a box takes */
	INSET = 3,   /* between a box's border and its name */
	BASE = 13,   /* from a box's upper border to the line that its name stands on */
	THIN = 3,    /* what is narrower has no border */
	LINE = 18,   /* from one line of text to the next */
	HEAD = 76,   /* the title and the lines below it */
	SWATCH = 11, /* the width and height of a legend's colour */
};

#define COLUMN 7.23 /* pixels: how wide a character is, in fonts where all are */

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

/* Adds VALUE with its unit. */
static void print_value(const struct prof_metric *metric, prof_value value, struct prof_text *text)
{
	char number[PROF_NUMBER_TEXT];

	if (metric->places < 0)
		prof_value_print(value, metric->units, number);
	else
		prof_number_fixed(value, metric->units, metric->places, number);
	prof_text_print(text, "%s %s", number, metric->unit);
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

	for (size_t i = 0; i < svg->paint->legend.count; i++) {
		const struct prof_legend *legend = &svg->paint->legend.items[i];
		double width = SWATCH + 5 + COLUMN * (double)prof_text_width(legend->name);
		if (at + width > MARGIN + PROF_SVG_WIDTH)
			break;
		prof_text_print(text, "<g class=\"c%" PRIu32 "\"><rect", legend->color);
		print_pixels("x", at, text);
		prof_text_print(text, " y=\"%d\" width=\"%d\" height=\"%d\"/><text", HEAD + 2,
			SWATCH, SWATCH);
		print_pixels("x", at + SWATCH + 5, text);
		prof_text_print(text, " y=\"%d\">", HEAD + 2 + SWATCH - 1);
		prof_xml_name(legend->name, text);
		prof_text_print(text, "</text></g>\n");
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

static const char *name_of(const struct prof_svg *svg, const struct prof_box *box)
{
	return box->function == PROF_NONE
		? PROF_PRINT_TOTAL
		: prof_experiment_function_name(svg->names, box->function);
}

/* What is said of the box NUMBER where the pointer rests: its name in a line, then figures. */
static void print_title(const struct prof_svg *svg, size_t number, struct prof_text *text)
{
	const struct prof_box *box = &svg->boxes->items.items[number];
	prof_value value = *prof_boxes_values(svg->boxes, number);
	prof_value whole = *prof_boxes_values(svg->boxes, 0);

	prof_text_print(text, "<title>");
	prof_xml_name(name_of(svg, box), text);
	prof_text_print(text, "\n");
	print_value(svg->metric, value, text);
	prof_text_print(text, ", %.2f %%", prof_value_percent(value, whole));
	if (box->own && !svg->inverted) {
		prof_text_print(text, "; itself ");
		print_value(svg->metric, box->own, text);
	}
	if (box->function != PROF_NONE) {
		prof_text_print(text, "\n");
		prof_xml_name(prof_paint_object_name(svg->names, box->function), text);
	}
	prof_text_print(text, "</title>");
}

/* Neighbours of one colour differ in their shade, which goes by the name. */
static unsigned shade_of(const char *name)
{
	unsigned hash = 0;

	for (; *name; name++)
		hash = hash * 31 + (unsigned char)*name;
	return hash % 3;
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

static void print_box(const struct prof_svg *svg, size_t number, struct prof_text *text)
{
	const struct prof_box *box = &svg->boxes->items.items[number];
	const char *name = name_of(svg, box);
	double x = MARGIN + box->begin * PROF_SVG_WIDTH;
	double width = box->width * PROF_SVG_WIDTH;
	double columns = floor((width - 2 * INSET) / COLUMN);
	int y = top_of(svg) + (int)box->row * ROW;
	AUTO_FREE char *shorter = short_name(name);

	if (!shorter) {
		text->failed = true;
		return;
	}
	prof_text_print(text, "<g class=\"c%" PRIu32 " s%u%s\"", box->color, shade_of(name),
		width < THIN ? " thin" : "");
	if (strcmp(name, shorter)) {
		prof_text_print(text, " data-base=\"");
		prof_xml_name(shorter, text);
		prof_text_print(text, "\"");
	}
	prof_text_print(text, ">");
	print_title(svg, number, text);
	prof_text_print(text, "<rect");
	print_pixels("x", x, text);
	prof_text_print(text, " y=\"%d\"", y);
	print_pixels("width", width, text);
	prof_text_print(text, " height=\"%d\"/>", BOX);
	if (columns >= LEAST_COLUMNS) {
		prof_text_print(text, "<text");
		print_pixels("x", x + INSET, text);
		prof_text_print(text, " y=\"%d\">", y + BASE);
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
