/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-export. */
#include "plugin/command/command.h"

#include "base/file.h"
#include "plugin/command/choice.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"
#include "view/export.h"

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
	struct prof_error *error = choice_read(values, &prof_export_options, &wanted->choice);

	return error ? error : prof_export_choose(&wanted->choice.choice, &wanted->format);
}

/* Prints what is WANTED of the current experiment into TEXT, and a message into NOTE. */
static struct prof_error *print(const struct wanted *wanted, const struct prof_progress *progress,
	struct prof_text *text, struct prof_text *note)
{
	const struct prof_choice *choice = &wanted->choice.choice;
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow_stacks(choice->stacks, progress, &experiment);

	if (error)
		return error;
	error = prof_export_print(experiment, wanted->format, choice, progress, text, note);
	session_return();
	return error;
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
	.options = &prof_export_options,
	.arguments = COMMAND_FILES,
	.least = 1,
	.most = 1,
	.run = run_export,
};
