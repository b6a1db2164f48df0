/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-report. */
#include "plugin/command/command.h"

#include "base/file.h"
#include "plugin/command/choice.h"
#include "plugin/gdb/code.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"
#include "view/report.h"

#include <string.h>

static struct prof_error *check_file(const char *file)
{
	static const char ending[] = ".html";
	size_t length = strlen(file), least = sizeof ending - 1;

	if (length > least && !strcmp(file + length - least, ending))
		return NULL;
	return prof_error_create(PROF_ERROR_USAGE,
		"prof-report cannot write to \"%s\": the name of the file must end in .html.",
		file);
}

/* Prints the report of the current experiment into TEXT. */
static struct prof_error *print(const struct prof_choice *choice,
	const struct prof_progress *progress, struct prof_text *text)
{
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow_stacks(choice->stacks, progress, &experiment);

	if (error)
		return error;
	error = prof_report_print(experiment, choice, progress, text);
	session_return();
	return error;
}

static struct prof_error *run_report(
	const struct command *command, const struct option_values *values)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(choice_deinit) struct choice choice = {0};
	PROF_AUTO(code_end) struct code code = {0};
	struct host_progress progress;
	AUTO_FREE char *path = NULL;

	struct prof_error *error = check_file(values->given.arguments[0]);
	if (!error)
		error = command_file(values, 0, &path);
	if (!error)
		error = choice_read(values, command->options, &choice);
	if (!error)
		error = settings_bound(&text);
	if (error)
		return error;
	code_begin(&code, false);
	choice.choice.code = &code.code;
	host_progress_begin(&progress);
	text.progress = &progress.progress;
	error = filter_explain(print(&choice.choice, &progress.progress, &text));
	host_progress_end(&progress);
	if (!error)
		error = prof_file_write(path, prof_text_get(&text), text.length);
	return error ? error : choice_say_written(path);
}

const struct command command_report = {
	.name = "prof-report",
	.group = COMMAND_FILE,
	.category = "COMMAND_FILES",
	.usage = "FILE.html",
	.describe =
		"Write a report for a web browser to FILE.html.\n"
		"The report on the experiment at hand is one file, which needs no network: a summary, the flame graph, functions, callers and callees, the call tree, a timeline, and lines.  "
		"Its filters by thread, time and function change all of them at once.  "
		"The filters here choose which samples are in the file.",
	.options = &prof_report_options,
	.arguments = COMMAND_FILES,
	.least = 1,
	.most = 1,
	.run = run_report,
};
