/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/svg_draw.h"

#include "picture/xml.h"
#include "report/number.h"

#include <stdio.h>
#include <string.h>

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
