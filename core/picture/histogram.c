/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/histogram.h"

#include "base/time_unit.h"
#include "metric/durations.h"
#include "picture/svg.h"
#include "picture/svg_draw.h"
#include "report/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Pixels. */
enum {
	HEIGHT = 300,    /* of the highest bar */
	BAR_LEAST = 2,   /* of a bar with any calls */
	BAR_MOST = 80,   /* the width of a bin */
	LABEL_GAP = 6,   /* between a label and what it is of */
	LABEL_SPACE = 8, /* between two labels */
};

/* The lines on the vertical axis, at most, without that of 0. */
enum { LINES_MOST = 5 };

/* What lines are drawn at. */
static const struct {
	const char *name;
	unsigned percent;
} lines[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"max", 100}};

/* What the parts of a histogram share. */
struct layout {
	const struct prof_histogram_picture *picture;
	uint64_t step; /* calls from one line of the axis to the next */
	int left, top,
		foot; /* pixels: where bars begin, where the highest one does, and the notes */
	int bin;      /* pixels: the width of one */
};

/* Pixels: how wide TEXT is, in ASCII. */
static int width_of(const char *text)
{
	return (int)(PROF_SVG_COLUMN * (double)strlen(text) + 1);
}

static const char *print_count(uint64_t count, char buffer[PROF_NUMBER_TEXT])
{
	return prof_number_fixed(prof_value_of((int64_t)count), 1, 0, buffer);
}

/* The calls from a line of the axis to the next, if the highest bar has MOST. */
static uint64_t step_of(uint64_t most)
{
	uint64_t power = 1;

	for (;; power *= 10) {
		static const uint64_t factors[] = {1, 2, 5};
		for (size_t i = 0; i < PROF_COUNT(factors); i++) {
			if (most / (power * factors[i]) <= LINES_MOST)
				return power * factors[i];
		}
	}
}

static void layout_init(struct layout *layout, const struct prof_histogram_picture *picture)
{
	char label[PROF_NUMBER_TEXT];
	size_t bins = picture->bins->items.count;

	*layout = (struct layout){.picture = picture, .top = PROF_SVG_HEAD, .foot = PROF_SVG_HEAD};
	if (!bins)
		return;
	layout->step = step_of(picture->bins->most);
	layout->left =
		PROF_SVG_MARGIN + width_of(print_count(picture->bins->most, label)) + LABEL_GAP;
	layout->bin = (PROF_SVG_WIDTH + PROF_SVG_MARGIN - layout->left) / (int)bins;
	if (layout->bin > BAR_MOST)
		layout->bin = BAR_MOST;
	/* A line of text for each label above the bars, and one for the numbers on these. */
	layout->top += ((int)PROF_COUNT(lines) + 1) * PROF_SVG_LINE;
	layout->foot = layout->top + HEIGHT + 3 * PROF_SVG_LINE;
}

/* Pixels: how high the bar of so many CALLS is. */
static int height_of(const struct layout *layout, uint64_t calls)
{
	int height = (int)((double)calls * HEIGHT / (double)layout->picture->bins->most);

	return calls && height < BAR_LEAST ? BAR_LEAST : height;
}

/* Pixels: where DURATION, which is in a bin, is. */
static double x_of(const struct layout *layout, int64_t duration)
{
	const struct prof_duration_bin *bin = layout->picture->bins->items.items;
	size_t number = 0;

	while (duration >= bin[number].high)
		number++;
	double part =
		(double)(duration - bin[number].low) / (double)(bin[number].high - bin[number].low);
	return layout->left + ((double)number + part) * layout->bin;
}

/* A text of the class CLASS at X and Y. */
static void print_label(const char *class, int x, int y, const char *label, struct prof_text *text)
{
	prof_text_print(
		text, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y, label);
}

/* The bar of the bin NUMBER; with it and those before it there are BELOW calls. */
static void print_bar(
	const struct layout *layout, size_t number, uint64_t below, struct prof_text *text)
{
	const struct prof_duration_bin *bin = &layout->picture->bins->items.items[number];
	double all = (double)layout->picture->durations->list.count;
	int height = height_of(layout, bin->calls);
	const struct prof_rectangle place = {layout->left + (int)number * layout->bin,
		layout->bin > 2 ? layout->bin - 1 : layout->bin, layout->top + HEIGHT - height,
		height};
	char count[PROF_NUMBER_TEXT];

	print_count(bin->calls, count);
	prof_text_print(text, "<g><title>");
	prof_time_unit_print(bin->low, text);
	prof_text_print(text, " to ");
	prof_time_unit_print(bin->high, text);
	prof_text_print(text, ": %s call%s, %.2f %%; shorter than its end: %.2f %%</title>", count,
		bin->calls == 1 ? "" : "s", 100 * (double)bin->calls / all,
		100 * (double)below / all);
	prof_svg_rectangle(&place, "b6", text);
	if (width_of(count) + LABEL_SPACE / 2 <= layout->bin)
		print_label("middle", (int)place.x + layout->bin / 2, place.y - 4, count, text);
	prof_text_print(text, "</g>\n");
}

static void print_bars(const struct layout *layout, struct prof_text *text)
{
	const struct prof_duration_bins *bins = layout->picture->bins;
	uint64_t below = 0;

	prof_text_print(text, "<g id=\"cells\">\n");
	for (size_t i = 0; i < bins->items.count; i++) {
		below += bins->items.items[i].calls;
		if (bins->items.items[i].calls)
			print_bar(layout, i, below, text);
	}
	prof_text_print(text, "</g>\n");
}

/* How many bins there are from a label of the horizontal axis to the next. */
static size_t label_distance(const struct layout *layout)
{
	const struct prof_duration_bins *bins = layout->picture->bins;
	int widest = 0;

	for (size_t i = 0; i < bins->items.count; i++) {
		AUTO_TEXT struct prof_text label = {0};
		prof_time_unit_print(bins->items.items[i].high, &label);
		int width = width_of(prof_text_get(&label));
		widest = width > widest ? width : widest;
	}
	return (size_t)((widest + LABEL_SPACE) / layout->bin) + 1;
}

/* A line and a label at the beginning of the bin NUMBER, or at the end of the last one. */
static void print_edge(const struct layout *layout, size_t number, struct prof_text *text)
{
	const struct prof_duration_bins *bins = layout->picture->bins;
	int x = layout->left + (int)number * layout->bin;
	AUTO_TEXT struct prof_text label = {0};

	prof_time_unit_print(number < bins->items.count
			? bins->items.items[number].low
			: bins->items.items[bins->items.count - 1].high,
		&label);
	text->failed |= label.failed;
	prof_text_print(text, "<path d=\"M%d %dv5\"/>\n", x, layout->top + HEIGHT);
	print_label("middle", x, layout->top + HEIGHT + PROF_SVG_LINE, prof_text_get(&label), text);
}

static void print_axes(const struct layout *layout, struct prof_text *text)
{
	const struct prof_duration_bins *bins = layout->picture->bins;
	int width = (int)bins->items.count * layout->bin;
	size_t distance = label_distance(layout);
	char count[PROF_NUMBER_TEXT];

	prof_text_print(text, "<g id=\"axes\">\n");
	for (uint64_t calls = 0; calls <= bins->most; calls += layout->step) {
		int y = layout->top + HEIGHT - (calls ? height_of(layout, calls) : 0);
		print_label(
			"end", layout->left - LABEL_GAP, y + 4, print_count(calls, count), text);
		prof_text_print(text, "<path d=\"M%d %dh%d\"/>\n", layout->left, y, width);
	}
	for (size_t i = 0; i <= bins->items.count; i += distance)
		print_edge(layout, i, text);
	prof_text_print(text, "</g>\n");
}

/* A line and a label at each percentile: each label has a line of text of its own. */
static void print_percentiles(const struct layout *layout, struct prof_text *text)
{
	const int right = PROF_SVG_WIDTH + PROF_SVG_MARGIN;

	prof_text_print(text, "<g id=\"marks\">\n");
	for (size_t i = 0; i < PROF_COUNT(lines); i++) {
		AUTO_TEXT struct prof_text label = {0};
		int64_t duration =
			prof_durations_percentile(layout->picture->durations, lines[i].percent);
		double x = x_of(layout, duration);
		int y = PROF_SVG_HEAD + (int)i * PROF_SVG_LINE;
		prof_text_print(&label, "%s ", lines[i].name);
		prof_time_unit_print(duration, &label);
		text->failed |= label.failed;
		bool fits = x + LABEL_GAP + width_of(prof_text_get(&label)) <= right;
		prof_text_print(text, "<line");
		prof_svg_pixels("x1", x, text);
		prof_svg_pixels("x2", x, text);
		prof_text_print(
			text, " y1=\"%d\" y2=\"%d\"/>\n", y - PROF_SVG_BASE, layout->top + HEIGHT);
		print_label(fits ? "start" : "end", (int)x + (fits ? LABEL_GAP : -LABEL_GAP), y,
			prof_text_get(&label), text);
	}
	prof_text_print(text, "</g>\n");
}

struct prof_error *prof_histogram_print(
	const struct prof_histogram_picture *picture, struct prof_text *text)
{
	struct layout layout;

	layout_init(&layout, picture);
	prof_svg_begin(
		picture->title, layout.foot + prof_svg_lines(picture->notes) * PROF_SVG_LINE, text);
	prof_svg_line("title", 24, picture->title, text);
	prof_svg_line("dim", 43, picture->subtitle, text);
	if (layout.bin) {
		print_axes(&layout, text);
		print_bars(&layout, text);
		print_percentiles(&layout, text);
	}
	prof_svg_notes(picture->notes, layout.foot, text);
	prof_text_print(text, "</svg>\n");
	return prof_text_error(text);
}
