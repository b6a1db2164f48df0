/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/export.h"

#include "view/options.h"

#include <stdio.h>

static const char *format_name(size_t index)
{
	return prof_exports[index].name;
}

static const struct prof_option rows[] = {
	{.name = "format",
		.value = "FORMAT",
		.word = format_name,
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct prof_export_choice, format),
		.describe =
			"Choose the tool: folded, one line a stack, for flamegraph.pl; pprof; speedscope; callgrind, for KCachegrind; firefox, for profiler.firefox.com; gprofng-text, as gprofng prints; json, everything that the experiment holds.  "
			"The default is folded."},
	PROF_METRIC_ROW("METRIC,...",
		"Choose what is counted.  The default is samples.  "
		"pprof and callgrind take several metrics."),
	PROF_STACK_OPTIONS, PROF_FILTER_OPTIONS{.name = NULL}};

const struct prof_options prof_export_options = PROF_OPTIONS(rows, struct prof_export_choice);

struct prof_error *prof_export_choose(
	const struct prof_choice *choice, const struct prof_export **ret)
{
	const struct prof_export_choice *own = choice->own;
	struct prof_error *error =
		prof_export_find(own->format ? own->format : prof_exports[0].name, ret);

	if (!error && choice->metrics && (*ret)->metrics == PROF_EXPORT_ALL)
		error = prof_error_create(PROF_ERROR_USAGE,
			"The format %s holds all metrics: leave out --metric.", (*ret)->name);
	return error;
}

struct prof_error *prof_export_print(const struct prof_experiment *experiment,
	const struct prof_export *format, const struct prof_choice *choice,
	const struct prof_progress *progress, struct prof_text *text, struct prof_text *note)
{
	AUTO_SHEET struct prof_sheet sheet = {0};
	char who[48];
	const struct prof_sheet_request request = {
		.metrics = choice->metrics,
		.filter = &choice->filter,
		.kind = format->kind,
		.inlined = !choice->folded,
		.want = format->want,
		.needs = format->needs,
		.who = who,
	};

	snprintf(who, sizeof who, "The format %s", format->name);
	struct prof_error *error = prof_sheet_init(&sheet, experiment, &request, progress);
	if (!error && sheet.shown.count > 1 && format->metrics == PROF_EXPORT_ONE)
		error = prof_error_create(PROF_ERROR_USAGE,
			"The format %s holds one metric: give only one.", format->name);
	if (!error)
		error = format->print(&sheet, text);
	/* The file has no heading that says so. */
	if (!error)
		prof_view_filter(&sheet, &choice->filter, note);
	if (!error)
		error = prof_text_error(note);
	return error ? error : prof_text_error(text);
}
