/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sheet.h"

#include "metric/filter.h"
#include "metric/profile.h"
#include "metric/selection.h"
#include "model/contents.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "report/needs.h"
#include "report/recording.h"

static struct prof_error *make_profiles(struct prof_sheet *sheet)
{
	for (size_t i = 0; i < sheet->shown.count; i++) {
		struct prof_profile_request request = {
			.metric = &sheet->shown.items[i].metric,
			.selection = sheet->selection,
			.items = &sheet->items,
		};
		struct prof_error *error = prof_profile_create(
			sheet->experiment, &request, sheet->progress, &sheet->profiles[i]);
		if (error)
			return error;
	}
	return prof_items_make_names(&sheet->items);
}

/* With fewer samples, shares are rough: if there are 30, one third may as well be a half. */
enum { ENOUGH = 30 };

/* Is any value shown that the clock's samples carry? */
static bool shows_samples(const struct prof_sheet *sheet)
{
	uint32_t event;

	for (size_t i = 0; i < sheet->shown.count; i++) {
		if (!prof_metric_is_event(&sheet->shown.items[i].metric, &event))
			return true;
	}
	return false;
}

/* See struct prof_sheet. */
static struct prof_error *count_few(struct prof_sheet *sheet)
{
	const prof_value enough = ENOUGH * (prof_value)PROF_VALUE_ONE;
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = sheet->experiment, .blocks = prof_selection_blocks(sheet->selection)};
	prof_value count =
		sheet->selection ? 0 : sheet->experiment->samples.totals[PROF_QUANTITY_SAMPLES];

	if (!prof_recording_sampled(&sheet->experiment->recording) || !shows_samples(sheet))
		return NULL;
	while (sheet->selection && count < enough && prof_cursor_next(&rows))
		count += prof_selection_value(sheet->selection, &rows.row, PROF_QUANTITY_SAMPLES);
	if (count < enough)
		sheet->few = (uint32_t)(count / PROF_VALUE_ONE);
	return prof_cursor_error(&rows);
}

struct prof_error *prof_sheet_init(struct prof_sheet *sheet,
	const struct prof_experiment *experiment, const struct prof_sheet_request *request,
	const struct prof_progress *progress)
{
	*sheet = (struct prof_sheet){.experiment = experiment, .progress = progress};
	prof_items_init(&sheet->items, experiment, request->kind, request->inlined);
	struct prof_error *error = prof_needs_check(experiment, request->needs, request->who);
	if (!error && prof_filter_is_set(request->filter))
		error = prof_needs_check(experiment, PROF_HAS_STACKS, "A filter");
	if (!error)
		error = prof_shown_read(experiment, request->metrics, &sheet->shown);
	if (error || prof_experiment_has(experiment) & PROF_HAS_GMON)
		return error;
	if (request->want == PROF_WANT_ONE && sheet->shown.count > 1)
		return prof_error_create(PROF_ERROR_USAGE,
			"This view shows one metric at a time: give one to --metric.");
	error = prof_selection_create(experiment, request->filter, &sheet->selection);
	if (!error)
		error = count_few(sheet);
	if (error)
		return error;
	for (size_t i = 0; i < sheet->shown.count; i++)
		sheet->shown.items[i].rough = sheet->few;
	if (request->want == PROF_WANT_NOTHING)
		return NULL;
	return make_profiles(sheet);
}

void prof_sheet_deinit(struct prof_sheet *sheet)
{
	for (size_t i = 0; i < PROF_COUNT(sheet->profiles); i++)
		prof_profile_destroy(sheet->profiles[i]);
	prof_items_deinit(&sheet->items);
	prof_selection_destroy(sheet->selection);
	*sheet = (struct prof_sheet){0};
}
