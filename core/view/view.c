/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/view.h"

#include "base/strings.h"
#include "metric/selection.h"
#include "model/experiment.h"
#include "report/recording.h"
#include "view/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const prof_format_names[PROF_FORMATS_DRAWN] = {
	[PROF_FORMAT_TEXT] = "text",
	[PROF_FORMAT_CSV] = "csv",
	[PROF_FORMAT_JSON] = "json",
	[PROF_FORMAT_PICTURE] = "svg",
};

const char *const prof_inline_names[2] = {"on", "off"};

const struct prof_view *const prof_views[] = {
	&prof_view_functions,
	&prof_view_objects,
	&prof_view_lines,
	&prof_view_pcs,
	&prof_view_source,
	&prof_view_disas,
	&prof_view_threads,
	&prof_view_processes,
	&prof_view_ranks,
	&prof_view_regions,
	&prof_view_metrics,
	&prof_view_intervals,
	&prof_view_overview,
	&prof_view_callers,
	&prof_view_tree,
	&prof_view_hot,
	&prof_view_phases,
	&prof_view_leaks,
	&prof_view_allocs,
	&prof_view_heap,
	&prof_view_locks,
	&prof_view_messages,
	&prof_view_data,
	&prof_view_traces,
	&prof_view_calls,
	&prof_view_gprof,
	NULL,
};

const struct prof_view *prof_view_find(const char *name)
{
	for (size_t i = 0; prof_views[i]; i++) {
		if (!strcmp(prof_views[i]->name, name))
			return prof_views[i];
	}
	return NULL;
}

/* Java has its own locks and heap, which the C library's functions do not see. */
static bool is_java(const struct prof_experiment *experiment)
{
	static const char name[] = "/libjvm.so";
	size_t length = strlen(name);

	for (size_t i = 0; i < experiment->modules.count; i++) {
		const char *path =
			prof_strings_get(&experiment->strings, experiment->modules.items[i].path);
		size_t end = strlen(path);
		if (end >= length && !strcmp(path + end - length, name))
			return true;
	}
	return false;
}

/* Adds how EXPERIMENT was recorded; VIEW: only what matters to the figures of that; NULL: all. */
static void print_recorded(const struct prof_experiment *experiment, const struct prof_view *view,
	struct prof_text *text)
{
	prof_recording_print_ranks(experiment, text);
	if (view)
		prof_recording_print_notes(&experiment->recording, view->traced, text);
	else
		prof_recording_print(&experiment->recording, text);
	prof_recording_print_untimed(experiment, text);
	prof_recording_print_counters(experiment, text);
	if (experiment->recording.families && is_java(experiment))
		prof_text_print(text,
			"Java is not supported: the trace does not include its own objects and locks.\n");
	if (experiment->arc_values.count)
		prof_text_print(text, "The file has costs of lines and of calls, and no stacks.\n");
}

/*
 * Adds the heading: how SHEET's experiment was recorded, and the filter.  On the screen prof-stop
 * and prof-status have all of it.
 */
static void print_heading(const struct prof_view *view, const struct prof_sheet *sheet,
	const struct prof_choice *choice, struct prof_text *text)
{
	print_recorded(sheet->experiment, choice->markup.screen ? view : NULL, text);
	prof_view_filter(sheet, &choice->filter, text);
	if (sheet->few)
		prof_text_print(text, "Only %" PRIu32 " sample%s: shares of them are rough.\n",
			sheet->few, sheet->few == 1 ? "" : "s");
	if (text->length)
		prof_text_print(text, "\n");
}

struct prof_error *prof_view_print(const struct prof_view *view,
	const struct prof_experiment *experiment, const struct prof_choice *choice,
	const struct prof_progress *progress, struct prof_text *text)
{
	struct prof_choice chosen = *choice;
	const char *metrics = choice->metrics;
	char who[32];

	if (!chosen.own)
		chosen.own = view->options->defaults;
	if (!metrics && view->metrics)
		metrics = view->metrics(experiment);
	snprintf(who, sizeof who, "prof-%s", view->name);
	const struct prof_sheet_request request = {
		.metrics = metrics,
		.filter = &choice->filter,
		.kind = view->kind,
		.inlined = !choice->folded,
		.want = view->want,
		.needs = view->needs,
		.who = who,
	};
	AUTO_TEXT struct prof_text printed = {0};
	AUTO_SHEET struct prof_sheet sheet = {0};
	struct prof_error *error = prof_sheet_init(&sheet, experiment, &request, progress);

	if (error)
		return error;
	bool bare = view->is_bare && view->is_bare(experiment, &chosen);
	if (choice->format == PROF_FORMAT_TEXT && !bare)
		print_heading(view, &sheet, choice, &printed);
	error = view->print(&sheet, &chosen, &printed);
	if (!error)
		error = prof_text_error(&printed);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		prof_text_bytes(text, prof_text_get(&printed), printed.length);
	else if (view->is_exact && view->is_exact(&chosen))
		prof_markup_strip(text, prof_text_get(&printed));
	else
		prof_markup_print(&choice->markup, prof_text_get(&printed), text);
	return prof_text_error(text);
}

void prof_view_filter(
	const struct prof_sheet *sheet, const struct prof_filter *filter, struct prof_text *text)
{
	if (!sheet->selection)
		return;
	prof_text_print(text, "Filter: ");
	prof_filter_print(filter, text);
	prof_text_print(text, " (%zu of %zu records).\n", sheet->selection->count,
		sheet->selection->samples);
}

void prof_view_heading(const struct prof_experiment *experiment, struct prof_text *text)
{
	print_recorded(experiment, NULL, text);
}
