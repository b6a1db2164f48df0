#include "view/picture.h"

#include "base/file.h"
#include "view/number.h"
#include "view/svg.h"

#include <inttypes.h>
#include <stdio.h>

/* Pixels: what is narrower shows nothing. */
static const double narrowest = 0.1;

/* A picture on its way: what its words are made of. */
struct picture {
	const struct prof_sheet *sheet;
	const struct prof_picture_request *request;
	struct prof_boxes boxes;
	struct prof_paint paint;
	struct prof_text title, subtitle, notes;
};

static void picture_deinit(struct picture *picture)
{
	prof_boxes_deinit(&picture->boxes);
	prof_paint_deinit(&picture->paint);
	prof_text_deinit(&picture->title);
	prof_text_deinit(&picture->subtitle);
	prof_text_deinit(&picture->notes);
}

/* What it is of, as far as it is known. */
static void print_titles(struct picture *picture)
{
	const struct prof_sheet *sheet = picture->sheet;
	const struct prof_recording *recording = &sheet->experiment->recording;
	const struct prof_metric *metric = sheet->shown.items[0].metric;
	const char *path = *recording->program ? recording->program : recording->source;

	prof_text_print(&picture->title, "%s%s%s", prof_file_base_name(path), *path ? ": " : "",
		metric->title);
	prof_text_print(&picture->subtitle, "%s",
		picture->request->inverted
			? "Inverted: above stands what was running, below it what called it."
			: "Callers stand above what they call; the widest comes first.");
}

static void print_cut(const struct prof_cut *cut, const char *what, struct prof_text *text)
{
	char percent[PROF_NUMBER_TEXT];

	if (!cut->boxes)
		return;
	prof_text_print(text, "Left out: %zu box%s %s, with all below: %s %% of all.\n", cut->boxes,
		cut->boxes == 1 ? "" : "es", what, prof_number_percent(100 * cut->share, percent));
}

static void print_notes(struct picture *picture)
{
	struct prof_text *notes = &picture->notes;
	char what[64];

	prof_text_print(notes, "%s", picture->request->notes);
	snprintf(what, sizeof what, "deeper than %" PRIu64, picture->request->max_depth);
	print_cut(&picture->boxes.deep, what, notes);
	print_cut(&picture->boxes.narrow, "narrower than 0.1 pixels", notes);
}

static struct prof_error *lay_out(struct picture *picture)
{
	const struct prof_sheet *sheet = picture->sheet;
	const struct prof_profile *profile = sheet->profiles[0];
	const struct prof_layers layers = {1, {profile->self}, {1}};
	const struct prof_boxes_request request = {
		.tree = &profile->tree,
		.layers = &layers,
		.inverted = picture->request->inverted,
		.max_depth = picture->request->max_depth,
		.narrowest = narrowest / PROF_SVG_WIDTH,
	};
	struct prof_error *error = prof_boxes_init(&picture->boxes, &request, sheet->progress);

	return error ? error
		     : prof_paint_objects(&picture->paint, &picture->boxes, sheet->experiment);
}

struct prof_error *prof_picture_print(const struct prof_sheet *sheet,
	const struct prof_picture_request *request, struct prof_text *text)
{
	PROF_AUTO(picture_deinit) struct picture picture = {.sheet = sheet, .request = request};
	struct prof_error *error = lay_out(&picture);

	if (error)
		return error;
	print_titles(&picture);
	print_notes(&picture);
	const struct prof_svg svg = {
		.names = sheet->experiment,
		.metric = sheet->shown.items[0].metric,
		.boxes = &picture.boxes,
		.inverted = request->inverted,
		.paint = &picture.paint,
		.title = prof_text_get(&picture.title),
		.subtitle = prof_text_get(&picture.subtitle),
		.notes = prof_text_get(&picture.notes),
	};
	if (picture.title.failed || picture.subtitle.failed || picture.notes.failed)
		return prof_error_nomem();
	return prof_svg_print(&svg, text);
}
