/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `gdbprof html`: writes profiles as a report for web browsers, without GDB. */
#include "shell/gdbprof.h"

#include "base/text.h"
#include "model/experiment.h"
#include "parallel/user_stacks.h"
#include "shell/choice.h"
#include "shell/code.h"
#include "shell/files.h"
#include "view/report.h"

#include <stdlib.h>
#include <unistd.h>

static const struct prof_option own_rows[] = {
	{.name = "output",
		.value = "FILE",
		.describe =
			"Write the page to FILE; -o FILE does so too.  The default is the standard output."},
};

static struct prof_option *all_rows(char **arguments)
{
	(void)arguments;
	return choice_rows(own_rows, PROF_COUNT(own_rows), &prof_report_options);
}

/* Prints the report of the files in VALUES into TEXT. */
static struct prof_error *print(
	const struct prof_option_values *values, struct prof_code *code, struct prof_text *text)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_FREE void *own = NULL;
	struct prof_choice choice = {.code = code};
	struct prof_error *error = choice_read(values, &prof_report_options, &choice, &own);

	if (!error)
		error = files_read(values, &experiment);
	if (!error)
		error = prof_user_stacks_apply(&experiment, choice.stacks, NULL);
	return error ? error : prof_report_print(experiment, &choice, NULL, text);
}

static struct prof_error *write_report(const struct prof_option_values *values)
{
	AUTO_TEXT struct prof_text text = {.most = CHOICE_MOST};
	struct prof_code code = code_of_files();

	struct prof_error *error = print(values, &code, &text);
	prof_text_deinit(&code.notes);
	return error ? error : choice_write(values, &text, "The report");
}

static int run(int count, char **arguments)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	AUTO_FREE struct prof_option *rows = all_rows(arguments);
	struct prof_error *error = rows
		? prof_option_values_read(&values, rows, arguments, count, "gdbprof html --help")
		: prof_error_nomem();

	if (error) {
		action_fail(error);
		return GDBPROF_USAGE;
	}
	if (!values.count)
		return action_usage(&action_html, "Name a profile to write the report of.");
	if (!prof_option_values_get(&values, "output") && isatty(STDOUT_FILENO))
		return action_usage(
			&action_html, "A terminal cannot show the report: give -o FILE.html.");
	error = write_report(&values);
	if (error)
		action_fail(error);
	return error ? GDBPROF_FAILED : 0;
}

static void help(char **arguments, FILE *to)
{
	AUTO_FREE struct prof_option *rows = all_rows(arguments);

	if (rows)
		action_describe(
			"The report is one file, which needs no network.  It shows the sum of several profiles.  The filters choose which samples are in it.",
			rows, to);
}

const struct action action_html = {
	.name = "html",
	.usage = "[OPTION]... -o FILE.html FILE...",
	.describe = "Write profiles as a report for a web browser.",
	.run = run,
	.help = help,
	.rows = all_rows,
};
