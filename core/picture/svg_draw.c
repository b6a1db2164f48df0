/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/svg_draw.h"

#include "model/experiment.h"
#include "picture/boxes.h"
#include "picture/chart.h"
#include "picture/paint.h"
#include "picture/svg.h"
#include "picture/xml.h"
#include "report/number.h"

#include <stdio.h>
#include <string.h>

static const char *const style[] = {
#include "picture/flame.css.inc"
};

void prof_svg_begin(const char *title, int height, struct prof_text *text)
{
	prof_text_print(text,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n<title>",
		PROF_SVG_WIDTH + 2 * PROF_SVG_MARGIN, height, PROF_SVG_WIDTH + 2 * PROF_SVG_MARGIN,
		height);
	prof_xml_name(title, text);
	prof_text_print(text, "</title>\n<style>\n");
	for (size_t i = 0; i < PROF_COUNT(style); i++)
		prof_text_print(text, "%s", style[i]);
	prof_text_print(
		text, "</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n");
}

int prof_svg_lines(const char *lines)
{
	int count = 0;

	for (; *lines; lines++)
		count += *lines == '\n';
	return count;
}

void prof_svg_notes(const char *notes, int y, struct prof_text *text)
{
	for (const char *at = notes; *at;) {
		const char *end = strchrnul(at, '\n');
		AUTO_TEXT struct prof_text line = {0};
		prof_text_bytes(&line, at, (size_t)(end - at));
		prof_svg_line("dim", y, prof_text_get(&line), text);
		text->failed |= line.failed;
		y += PROF_SVG_LINE;
		at = *end ? end + 1 : end;
	}
}

void prof_svg_pixels(const char *name, double pixels, struct prof_text *text)
{
	char number[PROF_NUMBER_TEXT];

	/* Narrow boxes can be magnified, so each digit counts. */
	snprintf(number, sizeof number, "%.6f", pixels);
	size_t length = strlen(number);
	while (number[length - 1] == '0')
		length--;
	length -= number[length - 1] == '.';
	prof_text_print(text, " %s=\"%.*s\"", name, (int)length, number);
}

void prof_svg_rectangle(
	const struct prof_rectangle *rectangle, const char *class, struct prof_text *text)
{
	prof_text_print(text, "<rect class=\"%s\"", class);
	prof_svg_pixels("x", rectangle->x, text);
	prof_text_print(text, " y=\"%d\"", rectangle->y);
	prof_svg_pixels("width", rectangle->width, text);
	prof_text_print(text, " height=\"%d\"/>", rectangle->height);
}

void prof_svg_line(const char *class, int y, const char *line, struct prof_text *text)
{
	prof_text_print(text, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, PROF_SVG_MARGIN, y);
	prof_xml_name(line, text);
	prof_text_print(text, "</text>\n");
}

void prof_svg_begin_text(double x, int y, struct prof_text *text)
{
	prof_text_print(text, "<text");
	prof_svg_pixels("x", x, text);
	prof_text_print(text, " y=\"%d\">", y);
}

bool prof_svg_has_marks(const struct prof_svg *svg)
{
	return svg->chart && svg->chart->timed && svg->names->marks.count;
}

int prof_svg_top(const struct prof_svg *svg)
{
	int legend = svg->paint->legend.count ? PROF_SVG_LINE + 4 : 0;
	int scale = svg->chart ? PROF_SVG_LINE : 0;
	int marks = prof_svg_has_marks(svg) ? PROF_SVG_LINE : 0;

	return PROF_SVG_HEAD + legend + scale + marks;
}

int prof_svg_foot(const struct prof_svg *svg)
{
	return prof_svg_top(svg) + (int)svg->boxes->rows * PROF_SVG_ROW + PROF_SVG_LINE;
}
