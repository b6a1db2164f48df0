/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The parts that only charts have: a scale, marks, and lanes. */
#include "picture/svg_draw.h"

#include "base/strings.h"
#include "base/time_unit.h"
#include "metric/metric.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/rank.h"
#include "picture/chart.h"
#include "picture/svg.h"
#include "picture/xml.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	LABELS = 10,      /* about how many labels a scale has */
	LABELS_ABOVE = 5, /* pixels above the boxes */
};

/* The divisor that turns the width into what is shown: seconds, or the metric's units. */
static double units_of(const struct prof_svg *svg)
{
	return svg->chart->timed ? PROF_NS_PER_SECOND : (double)svg->metric->units;
}

static const char *unit_of(const struct prof_svg *svg)
{
	return svg->chart->timed ? "s" : svg->metric->unit;
}

/* The distance of labels: 1, 2 or 5, times a power of ten. */
static double step_of(double span)
{
	double step = pow(10, floor(log10(span / LABELS)));
	double times = span / LABELS / step;

	return step * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
}

/*
 * Adds the label VALUE at X: after X if there is room; otherwise before X if there is room behind
 * TAKEN; otherwise not at all.  Returns where the label ends.
 */
static double print_label(
	const struct prof_svg *svg, double x, double value, double taken, struct prof_text *text)
{
	AUTO_TEXT struct prof_text label = {0};

	prof_text_print(&label, "%.6g %s", value, unit_of(svg));
	double needed = (double)label.length * PROF_SVG_COLUMN;
	bool before = x + needed > PROF_SVG_WIDTH;
	if (before && x - needed < taken)
		return taken;
	prof_text_print(text, "<text");
	prof_svg_pixels("x", PROF_SVG_MARGIN + x, text);
	prof_text_print(text, " y=\"%d\"%s>%s</text>\n", prof_svg_top(svg) - LABELS_ABOVE,
		before ? " text-anchor=\"end\"" : "", prof_text_get(&label));
	text->failed |= label.failed;
	return before ? x : x + needed;
}

static void print_axis(const struct prof_svg *svg, struct prof_text *text)
{
	double begin = svg->chart->begin / units_of(svg), span = svg->chart->span / units_of(svg);
	double step = step_of(span);

	prof_text_print(text,
		"<g id=\"axis\" class=\"dim\" data-begin=\"%.12g\" data-span=\"%.12g\" "
		"data-unit=\"%s\" data-y=\"%d\">\n",
		begin, span, unit_of(svg), prof_svg_top(svg) - LABELS_ABOVE);
	double taken = 0;
	for (double place = ceil(begin / step); place * step <= begin + span; place++)
		taken = print_label(svg, (place * step - begin) / span * PROF_SVG_WIDTH,
			place * step, taken, text);
	prof_text_print(text, "</g>\n");
}

/* The place of MARK in pixels; outside of the picture it is negative or too large. */
static double place_of(const struct prof_svg *svg, const struct prof_mark *mark)
{
	return ((double)mark->time - svg->chart->begin) / svg->chart->span * PROF_SVG_WIDTH;
}

static uint32_t number_of(const struct prof_svg *svg, const struct prof_mark *mark)
{
	return (uint32_t)(mark - svg->names->marks.items);
}

/*
 * Adds MARK.  Its label is after it if there is room before NEXT, the next mark; otherwise before
 * it if there is room behind TAKEN; otherwise after it, cut.  Returns where the label ends.
 */
static double print_mark(const struct prof_svg *svg, const struct prof_mark *mark, double taken,
	double next, struct prof_text *text)
{
	AUTO_TEXT struct prof_text named = {0};
	prof_rank_print(prof_rank_of_mark(svg->names, number_of(svg, mark)), &named);
	prof_text_print(&named, "%s", prof_strings_get(&svg->names->strings, mark->label));
	const char *label = prof_text_get(&named);
	double x = place_of(svg, mark);
	double needed = (double)prof_text_width(label) * PROF_SVG_COLUMN + 2 * PROF_SVG_INSET;
	bool before = needed > next - x && needed <= x - taken;
	double columns = floor((next - x - 2 * PROF_SVG_INSET) / PROF_SVG_COLUMN);
	int y = prof_svg_top(svg) - 2 * PROF_SVG_LINE;

	prof_text_print(text, "<g><title>");
	prof_xml_name(label, text);
	prof_text_print(
		text, "\nmark at %.6f s</title><line", (double)mark->time / PROF_NS_PER_SECOND);
	prof_svg_pixels("x1", PROF_SVG_MARGIN + x, text);
	prof_text_print(text, " y1=\"%d\"", y);
	prof_svg_pixels("x2", PROF_SVG_MARGIN + x, text);
	prof_text_print(text, " y2=\"%d\"/><text", prof_svg_foot(svg) - PROF_SVG_LINE);
	prof_svg_pixels(
		"x", PROF_SVG_MARGIN + x + (before ? -PROF_SVG_INSET : PROF_SVG_INSET), text);
	prof_text_print(
		text, " y=\"%d\"%s>", y + PROF_SVG_BASE, before ? " text-anchor=\"end\"" : "");
	if (before)
		prof_xml_name(label, text);
	else if (columns >= 1)
		prof_xml_name_cut(label, (size_t)columns, text);
	prof_text_print(text, "</text></g>\n");
	text->failed |= named.failed;
	return before ? x : x + (needed < next - x ? needed : next - x);
}

static void print_marks(const struct prof_svg *svg, struct prof_text *text)
{
	size_t count = svg->names->marks.count;
	AUTO_FREE const struct prof_mark **marks = calloc(count + 1, sizeof *marks);
	double taken = 0;

	if (!marks) {
		text->failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		marks[i] = &svg->names->marks.items[i];
	qsort(marks, count, sizeof *marks, prof_mark_compare);
	prof_text_print(text, "<g id=\"marks\">\n");
	for (size_t i = 0; i < count; i++) {
		double x = place_of(svg, marks[i]);
		double next = i + 1 < count ? place_of(svg, marks[i + 1]) : PROF_SVG_WIDTH;
		if (x >= 0 && x <= PROF_SVG_WIDTH)
			taken = print_mark(svg, marks[i], taken,
				next < PROF_SVG_WIDTH ? next : PROF_SVG_WIDTH, text);
	}
	prof_text_print(text, "</g>\n");
}

void prof_svg_scale(const struct prof_svg *svg, struct prof_text *text)
{
	if (!svg->chart)
		return;
	print_axis(svg, text);
	if (prof_svg_has_marks(svg))
		print_marks(svg, text);
}

void prof_svg_lanes(const struct prof_svg *svg, struct prof_text *text)
{
	for (size_t i = 0; svg->chart && i < svg->chart->lanes.count; i++) {
		const struct prof_lane *lane = &svg->chart->lanes.items[i];
		const struct prof_thread thread =
			prof_experiment_thread_row(svg->names, lane->thread);
		const char *name = prof_experiment_text(svg->names, thread.name);
		AUTO_TEXT struct prof_text line = {0};
		prof_rank_print(prof_rank_of_thread(svg->names, lane->thread), &line);
		prof_text_print(
			&line, *name ? "%s (%" PRId64 ")" : "%sthread %" PRId64, name, thread.id);
		prof_svg_line("lane",
			prof_svg_top(svg) + (int)lane->row * PROF_SVG_ROW + PROF_SVG_BASE,
			prof_text_get(&line), text);
		text->failed |= line.failed;
	}
}
