/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `gdbprof export`: writes profiles in a format of another tool, without GDB. */
#include "shell/gdbprof.h"

#include "base/text.h"
#include "model/experiment.h"
#include "parallel/user_stacks.h"
#include "shell/choice.h"
#include "shell/files.h"
#include "view/export.h"

#include <stdlib.h>
#include <unistd.h>

static const struct prof_option own_rows[] = {
	{.name = "output",
		.value = "FILE",
		.describe =
			"Write to FILE; -o FILE does so too.  The default is the standard output."},
};

static struct prof_option *all_rows(char **arguments)
{
	(void)arguments;
	return choice_rows(own_rows, PROF_COUNT(own_rows), &prof_export_options);
}

/* Exports the files in VALUES. */
static struct prof_error *export(const struct prof_option_values *values)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_TEXT struct prof_text text = {.most = CHOICE_MOST}, note = {0};
	AUTO_FREE void *own = NULL;
	struct prof_choice choice = {.own = NULL};
	const struct prof_export *format = NULL;

	struct prof_error *error = choice_read(values, &prof_export_options, &choice, &own);
	if (!error)
		error = prof_export_choose(&choice, &format);
	if (!error && format->packed && !prof_option_values_get(values, "output") &&
		isatty(STDOUT_FILENO))
		error = prof_error_create(PROF_ERROR_USAGE,
			"The format %s is binary, which a terminal cannot show: give -o FILE.",
			format->name);
	if (!error)
		error = files_read(values, &experiment);
	if (!error)
		error = prof_user_stacks_apply(&experiment, choice.stacks, NULL);
	if (!error)
		error = prof_export_print(experiment, format, &choice, NULL, &text, &note);
	if (!error)
		error = choice_write(values, &text, "The export");
	if (!error)
		fputs(prof_text_get(&note), stderr);
	return error;
}

static int run(int count, char **arguments)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	AUTO_FREE struct prof_option *rows = all_rows(arguments);
	struct prof_error *error = rows
		? prof_option_values_read(&values, rows, arguments, count, "gdbprof export --help")
		: prof_error_nomem();

	if (error) {
		action_fail(error);
		return GDBPROF_USAGE;
	}
	if (!values.count)
		return action_usage(&action_export, "There is no file to export.");
	error = export(&values);
	if (error)
		action_fail(error);
	return error ? GDBPROF_FAILED : 0;
}

static void help(char **arguments, FILE *to)
{
	AUTO_FREE struct prof_option *rows = all_rows(arguments);

	if (rows)
		action_describe(
			"The file holds the sum of several files.  The filters choose which samples are written.",
			rows, to);
}

const struct action action_export = {
	.name = "export",
	.usage = "[OPTION]... [-o FILE] FILE...",
	.describe = "Write profiles in a format of another tool.",
	.run = run,
	.help = help,
	.rows = all_rows,
};
