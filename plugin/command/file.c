/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The commands that read and write experiments. */
#include "plugin/command/command.h"

#include "base/file.h"
#include "callgraph/files.h"
#include "export/export.h"
#include "plugin/command/choice.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/option/word.h"
#include "plugin/session/session.h"
#include "view/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct prof_option no_rows[] = {{.name = NULL}};

static const struct prof_options no_options = {.rows = no_rows};

static const struct prof_option save_rows[] = {
	{.name = "archive",
		.describe =
			"Also save the source text and the instructions that prof-source and prof-disas show, as far as GDB has them now."},
	{.name = NULL}};

static const struct prof_options save_options = {.rows = save_rows};

/* What prof-export has users choose. */
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
	{.name = "metric",
		.value = "METRIC,...",
		.word = prof_metric_word,
		.open = true,
		.kind = PROF_OPTION_TEXT,
		PROF_OPTION_COMMON(metrics),
		.describe = "Choose what is counted.  The default is samples.  "
			    "pprof and callgrind take several metrics."},
	PROF_INLINE_OPTION, PROF_FILTER_OPTIONS{.name = NULL}};

static const struct prof_options export_options = PROF_OPTIONS(export_rows, struct export_choice);

/* Adds "LEAD 3 source files and the instructions of 2 functions.", unless both are 0. */
static void add_sentence(struct prof_text *text, const char *lead, size_t sources, size_t functions)
{
	if (!sources && !functions)
		return;
	prof_text_print(text, "%s ", lead);
	if (sources)
		prof_text_print(text, "%zu source file%s", sources, sources == 1 ? "" : "s");
	if (sources && functions)
		prof_text_print(text, " and ");
	if (functions)
		prof_text_print(text, "the instructions of %zu function%s", functions,
			functions == 1 ? "" : "s");
	prof_text_print(text, ".\n");
}

/* Prints what ARCHIVE has, and what GDB did not have for it. */
static struct prof_error *say_archived(const struct prof_archive_figures *archive)
{
	AUTO_TEXT struct prof_text text = {0};

	add_sentence(&text, "The archive holds", archive->sources, archive->functions);
	add_sentence(&text, "GDB cannot provide", archive->no_sources, archive->no_functions);
	struct prof_error *error = prof_text_error(&text);
	return error ? error : host_write(prof_text_get(&text));
}

static struct prof_error *run_save(
	const struct command *command, const struct option_values *values)
{
	bool with_archive = option_get(values, "archive");
	struct prof_archive_figures archive;
	struct host_progress progress;
	AUTO_FREE char *path = NULL;

	(void)command;
	struct prof_error *error = command_file(values, 0, &path);
	if (error)
		return error;
	host_progress_begin(&progress);
	error = session_save(path, with_archive ? &archive : NULL, &progress.progress);
	host_progress_end(&progress);
	if (!error)
		error = choice_say_written(path);
	return error || !with_archive ? error : say_archived(&archive);
}

/* Counts are of the program that GDB debugs, where no other was given. */
static struct prof_error *find_program(struct prof_files *files)
{
	if (!prof_files_lack_program(files))
		return NULL;
	struct prof_error *error = host_program(&files->program);
	if (error || (files->program && *files->program))
		return error;
	return prof_error_create(PROF_ERROR_STATE,
		"A gmon.out needs the program that wrote it: use prof-load GMON PROGRAM, or GDB's command \"file\".");
}

/* Reads all the files that VALUES names, and adds them up. */
static struct prof_error *read_all(const struct option_values *values,
	const struct prof_progress *progress, struct prof_experiment **ret)
{
	PROF_AUTO(prof_files_deinit) struct prof_files files = {0};
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < values->given.count; i++) {
		AUTO_FREE char *path = NULL;
		error = command_file(values, i, &path);
		if (!error)
			error = prof_files_add(&files, path, progress);
	}
	if (!error)
		error = find_program(&files);
	return error ? error : prof_files_finish(&files, progress, ret);
}

static struct prof_error *run_load(
	const struct command *command, const struct option_values *values)
{
	struct prof_experiment *experiment;
	struct host_progress progress;

	(void)command;
	host_progress_begin(&progress);
	struct prof_error *error = read_all(values, &progress.progress, &experiment);
	host_progress_end(&progress);
	return error ? error : session_load(experiment);
}

/* What is exported. */
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

/* Prints what is WANTED of the experiment at hand into TEXT, and what is to be said into NOTE. */
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
	struct prof_error *error = session_borrow(progress, &experiment);

	if (error)
		return error;
	error = prof_sheet_init(&sheet, experiment, &request, progress);
	if (!error && sheet.shown.count > 1 && wanted->format->metrics == PROF_EXPORT_ONE)
		error = prof_error_create(PROF_ERROR_USAGE,
			"The format %s holds one metric: give only one.", wanted->format->name);
	if (!error)
		error = wanted->format->print(&sheet, text);
	/* The file has no heading that tells of it. */
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

const struct command commands_file[] = {
	{
		.name = "prof-save",
		.category = "COMMAND_FILES",
		.usage = "FILE",
		.describe =
			"Save the experiment at hand to FILE.\n"
			"prof-load reads the file again, in this GDB or another, without the program.  "
			"For prof-source and prof-disas on a machine that lacks the program or its sources, give --archive.",
		.options = &save_options,
		.arguments = COMMAND_FILES,
		.least = 1,
		.most = 1,
		.run = run_save,
	},
	{
		.name = "prof-load",
		.category = "COMMAND_FILES",
		.usage = "FILE...",
		.describe =
			"Load an experiment or the profile of another tool from FILE.\n"
			"It replaces the experiment at hand.  The content of FILE decides its format:\n"
			"- experiments that prof-save or prof-start --output wrote\n"
			"- folded stacks, lines \"root;...;leaf WEIGHT\"\n"
			"- lists of calls, lines \"call NAME TICK [TIME]\", \"ret TICK [TIME]\" and \"thread ID [NAME]\"\n"
			"- what \"perf script\" prints\n"
			"- files of pprof, speedscope and callgrind, and what \"valgrind --tool=callgrind --ct-verbose=2\" prints\n"
			"- gmon.out of programs built with -pg; give the program as another FILE unless GDB debugs it\n\n"
			"gdbprof adds several files up, each after the other in time, and every view shows the sum.",
		.options = &no_options,
		.arguments = COMMAND_FILES,
		.least = 1,
		.run = run_load,
	},
	{
		.name = "prof-export",
		.category = "COMMAND_FILES",
		.usage = "FILE",
		.describe = "Write the experiment at hand to FILE in a format of another tool.\n"
			    "The filters choose which samples are written.",
		.options = &export_options,
		.arguments = COMMAND_FILES,
		.least = 1,
		.most = 1,
		.run = run_export,
	},
	{.name = NULL},
};
