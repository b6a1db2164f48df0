/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/picture.h"

#include "base/file.h"
#include "metric/comparison.h"
#include "metric/profile.h"
#include "model/contents.h"
#include "plugin/command/choice.h"
#include "plugin/command/command.h"
#include "plugin/command/compare_parts.h"
#include "plugin/command/compare_side.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"
#include "view/compare.h"
#include "view/flame.h"
#include "view/print.h"

#include <stdlib.h>
#include <string.h>

/* A picture under construction. */
struct picture {
	const struct option_values *values;
	struct choice choice;
	struct prof_picture_request request;
	char *file;
	struct compare_parts parts; /* of the experiment at hand, if any are compared */
	struct compare_side
		sides[PROF_COMPARISON_SIDES]; /* the experiments to compare: A, then B */
	struct prof_text notes, svg;
};

static void picture_deinit(struct picture *picture)
{
	choice_deinit(&picture->choice);
	free(picture->file);
	compare_parts_deinit(&picture->parts);
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		compare_side_deinit(&picture->sides[i]);
	prof_text_deinit(&picture->notes);
	prof_text_deinit(&picture->svg);
}

struct prof_error *picture_refuse(const struct option_values *values)
{
	static const char *const options[] = {"inverted", "color", "normalize"};

	for (size_t i = 0; i < PROF_COUNT(options); i++) {
		if (option_get(values, options[i]))
			return prof_error_create(PROF_ERROR_USAGE,
				"--%s is for pictures: prof-flame FILE.svg --%s.", options[i],
				options[i]);
	}
	return NULL;
}

static bool ends_in(const char *text, const char *ending)
{
	size_t length = strlen(text), least = strlen(ending);

	return length > least && !strcmp(text + length - least, ending);
}

static struct prof_error *check_file(const struct option_values *values)
{
	const char *file = values->given.arguments[0];

	if (!ends_in(file, ".svg"))
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-flame cannot draw into \"%s\": the name of the file must end in .svg.",
			file);
	if (option_get(values, "output"))
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-flame writes either a picture or, with --output, text: leave out one of them.");
	return NULL;
}

/* Chooses what colors show: if experiments are NAMED, or there may be PARTS, their difference. */
static struct prof_error *read_color(
	const struct prof_flame_choice *own, bool named, bool parts, enum prof_color *ret)
{
	named |= parts && own->color == PROF_COLOR_DIFFERENCE;
	*ret = named ? PROF_COLOR_DIFFERENCE : PROF_COLOR_OBJECT;
	if (own->color != PROF_COLORS)
		*ret = own->color;
	if (named != (*ret == PROF_COLOR_DIFFERENCE))
		return prof_error_create(PROF_ERROR_USAGE,
			named ? "prof-flame colors two experiments by their difference only: leave out --color."
			      : "--color=difference needs an experiment to compare with, prof-flame FILE.svg A [B], or a filter that is given twice.");
	if (own->normalize && !named)
		return prof_error_create(PROF_ERROR_USAGE,
			"--normalize is for differences: prof-flame FILE.svg A [B] --normalize.");
	return NULL;
}

static struct prof_error *read_picture(struct picture *picture)
{
	const struct option_values *values = picture->values;
	struct prof_error *error = check_file(values);

	if (!error)
		error = command_file(values, 0, &picture->file);
	if (!error)
		error = choice_read(values, &prof_flame_options, &picture->choice);
	const struct prof_flame_choice *own = picture->choice.choice.own;
	if (!error)
		error = compare_parts_read(values, &picture->choice.choice.filter, &picture->parts);
	if (!error)
		error = read_color(
			own, values->given.count > 1, picture->parts.any, &picture->request.color);
	if (error)
		return error;
	picture->request.max_depth = own->max_depth;
	picture->request.inverted = own->inverted;
	picture->request.chart = own->chart;
	if (picture->request.chart &&
		(picture->request.inverted || picture->request.color == PROF_COLOR_DIFFERENCE))
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-flame draws a chart neither inverted nor of a difference: leave out --chart, or the rest.");
	return NULL;
}

static struct prof_error *draw_sheet(struct picture *picture, const struct prof_sheet *sheet)
{
	prof_view_filter(sheet, &picture->choice.choice.filter, &picture->notes);
	prof_view_heading(sheet->experiment, &picture->notes);
	if (!sheet->profiles[0]->inclusive[0])
		prof_print_why_nothing(sheet, &picture->notes);
	picture->request.notes = prof_text_get(&picture->notes);
	struct prof_error *error = prof_text_error(&picture->notes);
	return error ? error : prof_picture_print(sheet, &picture->request, &picture->svg);
}

static struct prof_error *draw_experiment(struct picture *picture,
	const struct prof_experiment *experiment, const struct prof_progress *progress)
{
	const struct prof_choice *choice = &picture->choice.choice;
	const struct prof_sheet_request request = {
		.metrics = choice->metrics,
		.filter = &choice->filter,
		.kind = PROF_KIND_FUNCTIONS,
		.inlined = !choice->folded,
		.want = PROF_WANT_ONE,
		.needs = PROF_HAS_STACKS,
		.who = "A flame graph",
	};
	AUTO_SHEET struct prof_sheet sheet = {0};
	struct prof_error *error = prof_sheet_init(&sheet, experiment, &request, progress);

	return error ? error : draw_sheet(picture, &sheet);
}

/* Draws how B differs from A; EXPERIMENT, the current one, is B if only A was given. */
static struct prof_error *draw_difference(struct picture *picture,
	const struct prof_experiment *experiment, const struct prof_progress *progress)
{
	const struct prof_flame_choice *own = picture->choice.choice.own;
	const struct compare_side *sides = picture->sides;
	const struct prof_compare_request request = {
		.experiments = {sides[0].experiment, experiment ? experiment : sides[1].experiment},
		.files = {sides[0].file, experiment ? "the experiment at hand" : sides[1].file},
		.normalize = own->normalize,
		.choice = &picture->choice.choice,
	};

	return prof_picture_compare(&request, &picture->request, progress, &picture->svg);
}

/* Draws how one part of EXPERIMENT, the current one, differs from the other. */
static struct prof_error *draw_parts(struct picture *picture,
	const struct prof_experiment *experiment, const struct prof_progress *progress)
{
	const struct prof_flame_choice *own = picture->choice.choice.own;
	const struct compare_parts *parts = &picture->parts;
	const struct prof_compare_request request = {
		.experiments = {experiment, experiment},
		.files = {prof_text_get(&parts->names[0]), prof_text_get(&parts->names[1])},
		.filters = {&parts->filters[0], &parts->filters[1]},
		.normalize = own->normalize,
		.choice = &picture->choice.choice,
	};

	return prof_picture_compare(&request, &picture->request, progress, &picture->svg);
}

static struct prof_error *draw(struct picture *picture, const struct prof_progress *progress)
{
	size_t files = picture->values->given.count - 1;
	const struct prof_experiment *experiment;
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < files; i++)
		error = compare_side_read(picture->values, i + 1, picture->choice.choice.stacks,
			progress, &picture->sides[i]);
	if (error)
		return error;
	if (files == PROF_COMPARISON_SIDES)
		return draw_difference(picture, NULL, progress);
	error = session_borrow_stacks(picture->choice.choice.stacks, progress, &experiment);
	if (error)
		return error;
	if (files)
		error = draw_difference(picture, experiment, progress);
	else if (picture->request.color == PROF_COLOR_DIFFERENCE)
		error = draw_parts(picture, experiment, progress);
	else
		error = draw_experiment(picture, experiment, progress);
	session_return();
	return error;
}

struct prof_error *picture_draw(const struct option_values *values)
{
	PROF_AUTO(picture_deinit) struct picture picture = {.values = values};
	struct host_progress progress;
	struct prof_error *error = read_picture(&picture);

	if (!error)
		error = settings_bound(&picture.svg);
	if (error)
		return error;
	host_progress_begin(&progress);
	picture.svg.progress = &progress.progress;
	error = filter_explain(draw(&picture, &progress.progress));
	host_progress_end(&progress);
	if (!error)
		error = prof_file_write(
			picture.file, prof_text_get(&picture.svg), picture.svg.length);
	return error ? error : choice_say_written(picture.file);
}
