/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/flame.h"

#include "base/file.h"
#include "metric/comparison.h"
#include "metric/metric.h"
#include "metric/profile.h"
#include "metric/states.h"
#include "model/experiment.h"
#include "picture/boxes.h"
#include "picture/chart.h"
#include "picture/flame.h"
#include "picture/svg.h"
#include "report/number.h"
#include "report/sheet.h"
#include "view/compare.h"
#include "view/options.h"

#include <inttypes.h>
#include <stdio.h>

/* Pixels: boxes that are narrower are not drawn. */
static const double narrowest = 0.1;

static const struct prof_option option_rows[] = {
	{.name = "chart",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_flame_choice, chart),
		.describe =
			"Draw over time, one lane for each thread, with the marks; as text, keep the stacks in the order of time."},
	{.name = "max-depth",
		.value = "N",
		.kind = PROF_OPTION_NUMBER,
		.offset = offsetof(struct prof_flame_choice, max_depth),
		.describe = "Leave out stacks below depth N; outermost functions have depth 0."},
	{.name = "inverted",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_flame_choice, inverted),
		.describe =
			"Draw the functions that were running in the first row, and below each its callers."},
	{.name = "color",
		.value = "WHAT",
		PROF_OPTION_WORDS(prof_color_names),
		.kind = PROF_OPTION_WORD,
		.offset = offsetof(struct prof_flame_choice, color),
		.describe = "Choose what the colors of the picture stand for."},
	{.name = "normalize",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_flame_choice, normalize),
		.describe = "In a picture of a difference, compare shares of the totals."},
	PROF_METRIC_OPTION, PROF_STACK_OPTIONS, PROF_OUTPUT_OPTION,
	PROF_FILTER_OPTIONS{.name = NULL}};

const struct prof_options prof_flame_options = {
	.rows = option_rows,
	.size = sizeof(struct prof_flame_choice),
	.defaults = &(const struct prof_flame_choice){.max_depth = PROF_FLAME_DEEPEST,
		.color = PROF_COLORS},
};

/* The subject of a picture; all fields are borrowed. */
struct subject {
	const struct prof_picture_request *request;
	const struct prof_progress *progress;
	const struct prof_experiment *names; /* the functions of the tree */
	const struct prof_metric *metric;
	const struct prof_calltree *tree;
	struct prof_layers layers;
	const struct prof_chart *chart; /* replaces the tree; NULL: none */
	enum prof_color color;
	bool normalized;
	const char *title, *notes;
};

static void print_cut(const struct prof_cut *cut, const char *what, struct prof_text *text)
{
	char percent[PROF_NUMBER_TEXT];

	if (!cut->boxes)
		return;
	prof_text_print(text, "Left out: %zu box%s %s, with all below: %s %% of all.\n", cut->boxes,
		cut->boxes == 1 ? "" : "es", what,
		prof_number_percent(100 * cut->share, false, percent));
}

static void print_cuts(
	const struct subject *subject, const struct prof_boxes *boxes, struct prof_text *text)
{
	char what[64];

	snprintf(what, sizeof what, "deeper than %" PRIu64, subject->request->max_depth);
	print_cut(&boxes->deep, what, text);
	print_cut(&boxes->narrow, "narrower than 0.1 pixels", text);
}

/* A line that explains how to read the picture. */
static void print_subtitle(const struct subject *subject, struct prof_text *text)
{
	static const char *const colors[PROF_COLORS] = {
		[PROF_COLOR_OBJECT] = "",
		[PROF_COLOR_STATE] = "  The foot of a box shows the shares of its states.",
		[PROF_COLOR_DIFFERENCE] = "  A box is as wide as A and B together.",
	};
	const char *order = "Callers stand above what they call; the widest comes first.";

	if (subject->request->inverted)
		order = "Inverted: above stands what was running, below it what called it.";
	if (subject->chart)
		order = subject->chart->timed
			? "Over time, thread by thread; callers stand above what they call."
			: "In order, thread by thread; callers stand above what they call.";
	prof_text_print(text, "%s%s", order, subject->chart ? "" : colors[subject->color]);
}

/* Draws BOXES, which have their places already. */
static struct prof_error *draw(
	const struct subject *subject, struct prof_boxes *boxes, struct prof_text *text)
{
	AUTO_PAINT struct prof_paint paint = {0};
	AUTO_TEXT struct prof_text subtitle = {0}, notes = {0};
	struct prof_error *error =
		prof_paint_boxes(&paint, subject->color, boxes, &subject->layers, subject->names);

	if (error)
		return error;
	print_subtitle(subject, &subtitle);
	prof_text_print(&notes, "%s", subject->notes);
	print_cuts(subject, boxes, &notes);
	if (subject->chart && subject->chart->messages > subject->chart->arrows.count)
		prof_text_print(&notes, "Arrows: the %zu longest of %zu messages.\n",
			subject->chart->arrows.count, subject->chart->messages);
	if (subtitle.failed || notes.failed)
		return prof_error_nomem();
	const struct prof_svg svg = {
		.names = subject->names,
		.metric = subject->metric,
		.boxes = boxes,
		.chart = subject->chart,
		.inverted = subject->request->inverted,
		.normalized = subject->normalized,
		.color = subject->color,
		.paint = &paint,
		.title = subject->title,
		.subtitle = prof_text_get(&subtitle),
		.notes = prof_text_get(&notes),
	};
	return prof_svg_print(&svg, text);
}

/* Gives the tree of SUBJECT its places, and draws it. */
static struct prof_error *draw_tree(const struct subject *subject, struct prof_text *text)
{
	AUTO_BOXES struct prof_boxes boxes = {0};
	const struct prof_boxes_request request = {
		.tree = subject->tree,
		.layers = &subject->layers,
		.inverted = subject->request->inverted,
		.max_depth = subject->request->max_depth,
		.narrowest = narrowest / PROF_SVG_WIDTH,
	};
	struct prof_error *error = prof_boxes_init(&boxes, &request, subject->progress);

	return error ? error : draw(subject, &boxes, text);
}

/* Draws SHEET over time, with the titles of SUBJECT. */
static struct prof_error *draw_chart(
	const struct prof_sheet *sheet, struct subject *subject, struct prof_text *text)
{
	AUTO_CHART struct prof_chart chart = {0};
	const struct prof_chart_request request = {
		.color = subject->color,
		.max_depth = subject->request->max_depth,
		.narrowest = narrowest / PROF_SVG_WIDTH,
	};
	struct prof_error *error = prof_chart_init(&chart, sheet, &request);

	subject->chart = &chart;
	subject->layers.count = chart.boxes.layers;
	error = error ? error : draw(subject, &chart.boxes, text);
	subject->chart = NULL;
	return error;
}

/* Gives SUBJECT a layer for each state; STATES owns them. */
static struct prof_error *divide(
	const struct prof_sheet *sheet, struct prof_states *states, struct subject *subject)
{
	struct prof_error *error =
		prof_states_init(states, sheet->profiles[0], sheet->selection, sheet->progress);

	subject->layers.count = PROF_STATES;
	for (int i = 0; !error && i < PROF_STATES; i++) {
		subject->layers.self[i] = states->self[i];
		subject->layers.scale[i] = 1;
	}
	return error;
}

struct prof_error *prof_picture_print(const struct prof_sheet *sheet,
	const struct prof_picture_request *request, struct prof_text *text)
{
	const struct prof_profile *profile = sheet->profiles[0];
	const struct prof_recording *recording = &sheet->experiment->recording;
	const char *path = *recording->program ? recording->program : recording->source;
	AUTO_STATES struct prof_states states = {0};
	AUTO_TEXT struct prof_text title = {0};

	prof_text_print(&title, "%s%s%s", prof_file_base_name(path), *path ? ": " : "",
		profile->metric->title);
	if (title.failed)
		return prof_error_nomem();
	struct subject subject = {
		.request = request,
		.progress = sheet->progress,
		.names = sheet->experiment,
		.metric = profile->metric,
		.tree = &profile->tree,
		.layers = {1, {profile->self}, {1}},
		.color = request->color,
		.title = prof_text_get(&title),
		.notes = request->notes,
	};
	if (request->chart)
		return draw_chart(sheet, &subject, text);
	struct prof_error *error = NULL;
	if (request->color == PROF_COLOR_STATE)
		error = divide(sheet, &states, &subject);
	return error ? error : draw_tree(&subject, text);
}

struct prof_error *prof_picture_compare(const struct prof_compare_request *compare,
	const struct prof_picture_request *request, const struct prof_progress *progress,
	struct prof_text *text)
{
	AUTO_COMPARISON struct prof_comparison *comparison = NULL;
	AUTO_TEXT struct prof_text title = {0}, notes = {0};
	struct prof_error *error = prof_compare_create(compare, progress, &comparison);

	if (error)
		return error;
	const struct prof_profile *sides = comparison->profiles;
	prof_compare_heading(compare, comparison, &notes);
	prof_text_print(&title, "%s, then %s: %s", prof_file_base_name(compare->files[0]),
		prof_file_base_name(compare->files[1]), sides[0].metric->title);
	if (title.failed || notes.failed)
		return prof_error_nomem();
	struct subject subject = {
		.request = request,
		.progress = progress,
		.names = comparison->names,
		.metric = sides[0].metric,
		.tree = &sides[0].tree,
		.layers = {PROF_COMPARISON_SIDES, {sides[0].self, sides[1].self}, {1, 1}},
		.color = PROF_COLOR_DIFFERENCE,
		.normalized = compare->normalize,
		.title = prof_text_get(&title),
		.notes = prof_text_get(&notes),
	};
	for (int i = 0; compare->normalize && i < PROF_COMPARISON_SIDES; i++) {
		double whole = prof_value_double(sides[i].inclusive[0]);
		subject.layers.scale[i] = whole > 0 ? 1 / whole : 1;
	}
	return draw_tree(&subject, text);
}
