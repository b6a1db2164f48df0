/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-export. */
#include "plugin/command/command.h"

#include "base/file.h"
#include "export/export.h"
#include "plugin/command/choice.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/option/word.h"
#include "plugin/session/session.h"
#include "view/options.h"

#include <stdio.h>

/* The options of prof-export. */
struct export_choice {
	const char *format; /* NULL: the first; borrowed */
};

static const struct prof_option export_rows[] = {
	{.name = "format",
		.value = "FORMAT",
		.word = word_of_export,
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct export_choice, format),
		.describe =
			"Choose the tool: folded, one line a stack, for flamegraph.pl; pprof; speedscope; callgrind, for KCachegrind; firefox, for profiler.firefox.com; gprofng-text, as gprofng prints; json, everything that the experiment holds.  "
			"The default is folded."},
	PROF_METRIC_ROW("METRIC,...",
		"Choose what is counted.  The default is samples.  "
		"pprof and callgrind take several metrics."),
	PROF_STACK_OPTIONS, PROF_FILTER_OPTIONS{.name = NULL}};

static const struct prof_options export_options = PROF_OPTIONS(export_rows, struct export_choice);

/* What to export. */
struct wanted {
	const struct prof_export *format;
	struct choice choice;
};

static void wanted_deinit(struct wanted *wanted)
{
	choice_deinit(&wanted->choice);
}

static struct prof_error *read_wanted(const struct option_values *values, struct wanted *wanted)
{
	struct prof_error *error = choice_read(values, &export_options, &wanted->choice);
	const struct export_choice *own = wanted->choice.choice.own;

	if (!error)
		error = prof_export_find(
			own->format ? own->format : prof_exports[0].name, &wanted->format);
	if (!error && wanted->choice.choice.metrics && wanted->format->metrics == PROF_EXPORT_ALL)
		error = prof_error_create(PROF_ERROR_USAGE,
			"The format %s holds all metrics: leave out --metric.",
			wanted->format->name);
	return error;
}

/* Prints what is WANTED of the current experiment into TEXT, and a message into NOTE. */
static struct prof_error *print(const struct wanted *wanted, const struct prof_progress *progress,
	struct prof_text *text, struct prof_text *note)
{
	const struct prof_choice *choice = &wanted->choice.choice;
	char who[48];
	snprintf(who, sizeof who, "The format %s", wanted->format->name);
	const struct prof_sheet_request request = {
		.metrics = choice->metrics,
		.filter = &choice->filter,
		.kind = wanted->format->kind,
		.inlined = !choice->folded,
		.want = wanted->format->want,
		.needs = wanted->format->needs,
		.who = who,
	};
	AUTO_SHEET struct prof_sheet sheet = {0};
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow_stacks(choice->stacks, progress, &experiment);

	if (error)
		return error;
	error = prof_sheet_init(&sheet, experiment, &request, progress);
	if (!error && sheet.shown.count > 1 && wanted->format->metrics == PROF_EXPORT_ONE)
		error = prof_error_create(PROF_ERROR_USAGE,
			"The format %s holds one metric: give only one.", wanted->format->name);
	if (!error)
		error = wanted->format->print(&sheet, text);
	/* The file has no heading that says so. */
	if (!error)
		prof_view_filter(&sheet, &choice->filter, note);
	session_return();
	return error ? error : prof_text_error(text);
}

static struct prof_error *run_export(
	const struct command *command, const struct option_values *values)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text note = {0};
	PROF_AUTO(wanted_deinit) struct wanted wanted = {0};
	struct host_progress progress;
	AUTO_FREE char *path = NULL;

	(void)command;
	struct prof_error *error = read_wanted(values, &wanted);
	if (!error)
		error = command_file(values, 0, &path);
	if (!error)
		error = settings_bound(&text);
	if (error)
		return error;
	host_progress_begin(&progress);
	text.progress = &progress.progress;
	error = filter_explain(print(&wanted, &progress.progress, &text, &note));
	host_progress_end(&progress);
	if (!error)
		error = prof_file_write(path, prof_text_get(&text), text.length);
	return error ? error : host_write(prof_text_get(&note));
}

const struct command command_export = {
	.name = "prof-export",
	.group = COMMAND_FILE,
	.category = "COMMAND_FILES",
	.usage = "FILE",
	.describe = "Write the experiment at hand to FILE in a format of another tool.\n"
		    "The filters choose which samples are written.",
	.options = &export_options,
	.arguments = COMMAND_FILES,
	.least = 1,
	.most = 1,
	.run = run_export,
};
