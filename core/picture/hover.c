/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/hover.h"

#include "base/time_unit.h"
#include "model/experiment.h"
#include "picture/boxes.h"
#include "picture/chart.h"
#include "picture/paint.h"
#include "picture/svg.h"
#include "picture/xml.h"
#include "report/number.h"
#include "report/sheet.h"
#include "target/wait.h"

#include <string.h>

const char *prof_hover_name(const struct prof_svg *svg, const struct prof_box *box)
{
	return box->function == PROF_NONE
		? PROF_SHEET_TOTAL
		: prof_experiment_function_name(svg->names, box->function);
}

/* Adds VALUE with its unit. */
static void print_value(const struct prof_svg *svg, prof_value value, struct prof_text *text)
{
	const struct prof_metric *metric = svg->metric;
	char number[PROF_NUMBER_TEXT];

	if (metric->places < 0)
		prof_value_print(value, metric->units, number);
	else
		prof_number_fixed(value, metric->units, metric->places, number);
	/* "1 sample", but "2 samples"; units of time are abbreviations. */
	bool one = metric->units == 1 && value == PROF_VALUE_ONE;
	prof_text_print(text, "%s %.*s", number, (int)strlen(metric->unit) - one, metric->unit);
}

/* Adds PART with its unit, and its percentage of WHOLE. */
static void print_share(
	const struct prof_svg *svg, prof_value part, prof_value whole, struct prof_text *text)
{
	print_value(svg, part, text);
	prof_text_print(text, ", %.2f %%", prof_value_percent(part, whole));
}

static void print_own(
	const struct prof_svg *svg, const struct prof_box *box, struct prof_text *text)
{
	/* In an inverted graph, stacks end in their outermost function. */
	if (!box->own || svg->inverted)
		return;
	prof_text_print(text, "; itself ");
	print_value(svg, box->own, text);
}

static void print_object(const struct prof_svg *svg, size_t number, struct prof_text *text)
{
	print_share(svg, *prof_boxes_values(svg->boxes, number), *prof_boxes_values(svg->boxes, 0),
		text);
	print_own(svg, &svg->boxes->items.items[number], text);
}

static prof_value sum(const struct prof_svg *svg, size_t number)
{
	prof_value total = 0;

	for (size_t i = 0; i < svg->boxes->layers; i++)
		total += prof_boxes_values(svg->boxes, number)[i];
	return total;
}

static void print_states(const struct prof_svg *svg, size_t number, struct prof_text *text)
{
	prof_value whole = sum(svg, number);
	const char *between = "\n";

	print_share(svg, whole, sum(svg, 0), text);
	print_own(svg, &svg->boxes->items.items[number], text);
	for (size_t i = 0; i < svg->boxes->layers; i++) {
		prof_value value = prof_boxes_values(svg->boxes, number)[i];
		if (!value)
			continue;
		prof_text_print(text, "%s%s %.2f %%", between, prof_state_names[i],
			prof_value_percent(value, whole));
		between = ", ";
	}
}

static void print_difference(const struct prof_svg *svg, size_t number, struct prof_text *text)
{
	const prof_value *values = prof_boxes_values(svg->boxes, number);
	const prof_value *totals = prof_boxes_values(svg->boxes, 0);

	prof_text_print(text, "A: ");
	print_share(svg, values[0], totals[0], text);
	prof_text_print(text, "; B: ");
	print_share(svg, values[1], totals[1], text);
	prof_text_print(text, "; B - A: ");
	if (svg->normalized) {
		prof_text_print(text, "%+.2f %%",
			prof_value_percent(values[1], totals[1]) -
				prof_value_percent(values[0], totals[0]));
		return;
	}
	prof_text_print(text, "%s", values[1] > values[0] ? "+" : "");
	print_value(svg, values[1] - values[0], text);
}

/* The duration of a box of a chart, and when it begins. */
static void print_time(
	const struct prof_svg *svg, const struct prof_box *box, struct prof_text *text)
{
	const struct prof_chart *chart = svg->chart;

	if (chart && chart->timed)
		prof_text_print(text, "%.6f s from %.6f s; ",
			box->width * chart->span / PROF_NS_PER_SECOND,
			(chart->begin + box->begin * chart->span) / PROF_NS_PER_SECOND);
}

static void (*const figures[PROF_COLORS])(
	const struct prof_svg *svg, size_t number, struct prof_text *text) = {
	[PROF_COLOR_OBJECT] = print_object,
	[PROF_COLOR_STATE] = print_states,
	[PROF_COLOR_DIFFERENCE] = print_difference,
};

void prof_hover_print(const struct prof_svg *svg, size_t number, struct prof_text *text)
{
	const struct prof_box *box = &svg->boxes->items.items[number];

	prof_xml_name(prof_hover_name(svg, box), text);
	prof_text_print(text, "\n");
	print_time(svg, box, text);
	figures[svg->color](svg, number, text);
	if (box->function == PROF_NONE)
		return;
	prof_text_print(text, "\n");
	prof_xml_name(prof_paint_object_name(svg->names, box->function), text);
}
