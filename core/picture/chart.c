/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/chart.h"

#include "base/map.h"
#include "metric/items.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "metric/sequence.h"
#include "metric/spans.h"
#include "metric/states.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "picture/arrows.h"
#include "picture/tower.h"
#include "report/sheet.h"
#include "report/shown.h"

#include <stdlib.h>

/* A chart under construction. */
struct work {
	struct prof_chart *chart;
	const struct prof_sheet *sheet;
	const struct prof_chart_request *request;
	const struct prof_experiment *experiment;
	const struct prof_metric *metric;
	struct prof_items items;
	uint32_t nothing; /* the function that stands for the empty stack */
	struct prof_spans spans;
	struct prof_cursor rows;        /* of what is drawn */
	bool *chosen;                   /* by sample */
	PROF_ARRAY(uint32_t) functions; /* of the current stack, the outermost first */
	PROF_ARRAY(uint32_t) frames;    /* of the current stack, the innermost first */
	struct prof_tower tower;
};

static void work_deinit(struct work *work)
{
	prof_items_deinit(&work->items);
	prof_spans_deinit(&work->spans);
	prof_cursor_deinit(&work->rows);
	free(work->chosen);
	free(work->functions.items);
	free(work->frames.items);
	prof_tower_deinit(&work->tower);
}

void prof_chart_deinit(struct prof_chart *chart)
{
	prof_boxes_deinit(&chart->boxes);
	free(chart->lanes.items);
	free(chart->arrows.items);
	*chart = (struct prof_chart){0};
}

static bool is_chosen(const struct work *work, size_t place)
{
	return work->chosen[work->spans.order[place].number];
}

/* Finds the samples to draw. */
static struct prof_error *choose(struct work *work)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = work->experiment};

	work->chosen = malloc(work->experiment->samples.count + 1);
	if (!work->chosen)
		return prof_error_nomem();
	while (prof_cursor_next(&rows))
		work->chosen[rows.row.number] =
			prof_selection_has(work->sheet->selection, rows.row.number) &&
			prof_metric_is_about(work->metric, work->experiment, &rows.row);
	return prof_cursor_error(&rows);
}

/* Finds which stretch of time or sum the width of the picture stands for. */
static void find_span(struct work *work)
{
	const struct prof_experiment *experiment = work->experiment;
	double low = 0, high = 0;
	bool any = false,
	     whole = !work->sheet->selection || work->spans.calls || !work->spans.timed;

	for (size_t i = 0; i < experiment->samples.count; i++) {
		const struct prof_span *span = &work->spans.items[i];
		if (!whole && !is_chosen(work, i))
			continue;
		low = !any || span->begin < low ? span->begin : low;
		high = !any || span->end > high ? span->end : high;
		any = true;
	}
	if (whole && work->spans.timed) {
		double duration = (double)experiment->recording.duration;
		/* Some ranks of a job began before the one that was loaded first. */
		low = low < 0 ? low : 0;
		high = work->spans.calls && duration > high ? duration : high;
		for (size_t i = 0; i < experiment->marks.count; i++) {
			double time = (double)experiment->marks.items[i].time;
			low = time < low ? time : low;
			high = time > high ? time : high;
		}
	} else if (whole) {
		low = 0;
	}
	work->chart->begin = low;
	work->chart->span = high > work->chart->begin ? high - work->chart->begin : 1;
}

/* Finds the functions of the stack PATH. */
static struct prof_error *find_functions(struct work *work, uint32_t path)
{
	const struct prof_path *paths = work->experiment->paths.items;
	struct prof_error *error = NULL;

	work->frames.count = work->functions.count = 0;
	for (; path; path = paths[path].parent) {
		uint32_t *frame = prof_array_push(&work->frames);
		if (!frame)
			return prof_error_nomem();
		*frame = paths[path].frame;
	}
	for (size_t i = work->frames.count; !error && i-- > 0;) {
		uint32_t frame = work->frames.items[i];
		for (uint32_t j = prof_items_depth(&work->items, frame); !error && j-- > 0;) {
			uint32_t *function = prof_array_push(&work->functions);
			if (!function)
				return prof_error_nomem();
			error = prof_items_of(&work->items, frame, j, function);
		}
	}
	if (error || work->functions.count)
		return error;
	uint32_t *function = prof_array_push(&work->functions);
	if (!function)
		return prof_error_nomem();
	*function = work->nothing;
	return NULL;
}

/* Adds the sample at PLACE to the box that was opened last. */
static struct prof_error *add_values(struct work *work, size_t place)
{
	prof_value values[PROF_LAYERS_MOST] = {0};
	const struct prof_sample_row *row =
		prof_cursor_at(&work->rows, work->spans.order[place].number);

	if (!row)
		return prof_cursor_error(&work->rows);
	prof_quantities left = prof_metric_counts(work->metric, work->experiment, row);
	for (; left; left &= left - 1) {
		enum prof_quantity quantity = (enum prof_quantity)__builtin_ctzll(left);
		size_t layer = work->request->color == PROF_COLOR_STATE
			? prof_states_of(quantity, row)
			: 0;
		values[layer] += prof_metric_convert(
			work->metric, prof_selection_value(work->sheet->selection, row, quantity));
	}
	prof_tower_add(&work->tower, values);
	work->tower.open.items[work->tower.open.count - 1].chosen = true;
	return NULL;
}

static void close_to(struct prof_tower *tower, size_t depth, double end)
{
	while (tower->open.count > depth)
		prof_tower_close(tower, end);
}

/* Draws the sample at PLACE; the ones that were drawn before end at END. */
static struct prof_error *draw_span(struct work *work, size_t place, double end)
{
	struct prof_tower *tower = &work->tower;
	double begin = work->spans.items[place].begin;
	struct prof_error *error =
		find_functions(work, prof_spans_sample(&work->spans, place)->path);
	size_t common = 0;

	while (!error && begin <= end && common < tower->open.count &&
		common < work->functions.count &&
		tower->open.items[common].function == work->functions.items[common])
		common++;
	close_to(tower, common, end);
	for (size_t i = common; !error && i < work->functions.count; i++)
		error = prof_tower_open(tower, work->functions.items[i], begin);
	return error ? error : add_values(work, place);
}

/* Draws the samples from FIRST to LAST, of one thread, each as long as it lasts. */
static struct prof_error *draw_spans(struct work *work, size_t first, size_t last)
{
	struct prof_error *error = NULL;
	double drawn = 0;

	for (size_t i = first; !error && i < last; i++) {
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(work->sheet->progress, "Drawing", i,
				work->experiment->samples.count);
		if (error || !is_chosen(work, i))
			continue;
		error = draw_span(work, i, drawn);
		drawn = work->spans.items[i].end;
	}
	close_to(&work->tower, 0, drawn);
	return error;
}

/* Closes the call that was opened last.  Returns where it ends. */
static double end_call(struct prof_tower *tower)
{
	const struct prof_storey *last = &tower->open.items[tower->open.count - 1];
	double end = last->begin + last->length + last->inner;

	prof_tower_close(tower, end);
	return end;
}

/*
 * Draws the call at PLACE; the open calls are its callers, and no others.  END: where the calls
 * before have ended.
 */
static struct prof_error *draw_call(struct work *work, size_t place, double end)
{
	const struct prof_sample *sample = prof_spans_sample(&work->spans, place);
	struct prof_tower *tower = &work->tower;
	const struct prof_storey *caller =
		tower->open.count ? &tower->open.items[tower->open.count - 1] : NULL;
	double begin = caller ? caller->begin + caller->inner : end;
	uint32_t function;
	struct prof_error *error = prof_items_of(
		&work->items, work->experiment->paths.items[sample->path].frame, 0, &function);

	if (!error)
		error = prof_tower_open(
			tower, function, work->spans.timed ? (double)sample->time : begin);
	if (error)
		return error;
	struct prof_storey *call = &tower->open.items[tower->open.count - 1];
	call->path = sample->path;
	call->length = prof_spans_length(&work->spans, place);
	return is_chosen(work, place) ? add_values(work, place) : NULL;
}

/* Draws the samples from FIRST to LAST, of one thread, each as a call that contains its callees. */
static struct prof_error *draw_calls(struct work *work, size_t first, size_t last)
{
	const struct prof_path *paths = work->experiment->paths.items;
	struct prof_tower *tower = &work->tower;
	struct prof_error *error = NULL;
	double end = 0;

	for (size_t i = first; !error && i < last; i++) {
		uint32_t caller = paths[prof_spans_sample(&work->spans, i)->path].parent;
		while (tower->open.count && tower->open.items[tower->open.count - 1].path != caller)
			end = end_call(tower);
		error = draw_call(work, i, end);
	}
	while (tower->open.count)
		end_call(tower);
	return error;
}

/* Draws a lane for each thread that has something to show. */
static struct prof_error *draw_lanes(struct work *work)
{
	struct prof_tower *tower = &work->tower;
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < work->experiment->samples.count;) {
		const struct prof_lane lane = {
			prof_spans_sample(&work->spans, i)->thread, tower->rows};
		size_t before = work->chart->boxes.items.count;
		size_t last = prof_spans_thread_end(&work->spans, i);
		tower->row = lane.row + 1;
		error = work->spans.calls ? draw_calls(work, i, last) : draw_spans(work, i, last);
		i = last;
		if (error || work->chart->boxes.items.count == before)
			continue;
		struct prof_lane *added = prof_array_push(&work->chart->lanes);
		if (!added)
			return prof_error_nomem();
		*added = lane;
	}
	return error;
}

/* Draws the box for everything, and the lanes below it. */
static struct prof_error *draw(struct work *work)
{
	struct prof_chart *chart = work->chart;
	struct prof_tower *tower = &work->tower;
	const struct prof_box whole = {.function = PROF_NONE, .width = 1};

	*tower = (struct prof_tower){
		.boxes = &chart->boxes,
		.begin = chart->begin,
		.span = chart->span,
		.narrowest = work->request->narrowest,
		.max_depth = work->request->max_depth,
		.rows = 1,
	};
	struct prof_error *error = prof_boxes_add(&chart->boxes, &whole, tower->values);
	if (!error)
		error = draw_lanes(work);
	if (error)
		return error;
	for (size_t i = 0; i < chart->boxes.layers; i++)
		chart->boxes.values.items[i] = tower->values[i];
	chart->boxes.rows = tower->rows;
	chart->boxes.narrow = tower->narrow;
	chart->boxes.deep = tower->deep;
	/* Shares are parts of what is drawn. */
	double share = tower->all > 0 ? chart->span / tower->all : 0;
	chart->boxes.narrow.share *= share;
	chart->boxes.deep.share *= share;
	return NULL;
}

struct prof_error *prof_chart_init(struct prof_chart *chart, const struct prof_sheet *sheet,
	const struct prof_chart_request *request)
{
	PROF_AUTO(work_deinit)
	struct work work = {
		.chart = chart,
		.sheet = sheet,
		.request = request,
		.experiment = sheet->experiment,
		.metric = &sheet->shown.items[0].metric,
		.rows.experiment = sheet->experiment,
	};

	*chart = (struct prof_chart){
		.boxes.layers = request->color == PROF_COLOR_STATE ? PROF_STATES : 1};
	prof_items_init(&work.items, sheet->experiment, PROF_KIND_FUNCTIONS, sheet->items.inlined);
	struct prof_error *error = prof_items_of_nothing(&work.items, &work.nothing);
	if (!error)
		error = prof_spans_init(&work.spans, work.experiment, work.metric);
	if (!error)
		error = choose(&work);
	if (error)
		return error;
	chart->timed = work.spans.timed;
	find_span(&work);
	error = draw(&work);
	return error || !chart->timed ? error : prof_arrows_find(chart, sheet);
}
