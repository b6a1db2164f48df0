/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `gdbprof report`: prints a view of profiles, without GDB. */
#include "shell/gdbprof.h"

#include "base/text.h"
#include "model/experiment.h"
#include "parallel/user_stacks.h"
#include "shell/choice.h"
#include "shell/code.h"
#include "shell/files.h"
#include "view/view.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_VIEW "functions"

static const char *view_name(size_t index)
{
	for (size_t i = 0; i <= index; i++) {
		if (!prof_views[i])
			return NULL;
	}
	return prof_views[index]->name;
}

/* Options of the action's own, before those of the view. */
static const struct prof_option own_rows[] = {
	{.name = "view",
		.value = "VIEW",
		.word = view_name,
		.describe =
			"Print this view: prof-VIEW is its command in GDB.  The default is " DEFAULT_VIEW
			"."},
	{.name = "of",
		.value = "NAME",
		.describe =
			"Print the view for NAME: what prof-VIEW takes as its argument in GDB, such as a function."},
};

/* A table of these and VIEW's options, which the caller frees; NULL: out of memory. */
static struct prof_option *all_rows(const struct prof_view *view)
{
	return choice_rows(own_rows, PROF_COUNT(own_rows), view->options);
}

/* The view that WORDS ask for: its options are not known before. */
static struct prof_error *find_view(char **words, const struct prof_view **ret)
{
	static const char option[] = "--view";
	const char *name = DEFAULT_VIEW;

	for (; *words; words++) {
		if (strncmp(*words, option, sizeof option - 1) != 0)
			continue;
		if ((*words)[sizeof option - 1] == '=')
			name = *words + sizeof option;
		else if (!(*words)[sizeof option - 1] && words[1])
			name = words[1];
	}
	struct prof_error *error = prof_option_check(&own_rows[0], &name);
	if (!error)
		*ret = prof_view_find(name);
	return error;
}

/* Prints VIEW of the files in VALUES into TEXT. */
static struct prof_error *print(const struct prof_option_values *values,
	const struct prof_view *view, struct prof_code *code, struct prof_text *text)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_FREE void *own = NULL;
	struct prof_choice choice = {.code = code};

	struct prof_error *error = choice_read(values, view->options, &choice, &own);
	choice.function = prof_option_values_get(values, "of");
	if (!error)
		error = files_read(values, &experiment);
	if (!error)
		error = prof_user_stacks_apply(&experiment, choice.stacks, NULL);
	return error ? error : prof_view_print(view, experiment, &choice, NULL, text);
}

static int report(const struct prof_view *view, const struct prof_option_values *values)
{
	AUTO_TEXT struct prof_text text = {.most = CHOICE_MOST};
	struct prof_code code = code_of_files();

	struct prof_error *error = print(values, view, &code, &text);
	fputs(prof_text_get(&code.notes), stderr);
	prof_text_deinit(&code.notes);
	if (!error)
		error = choice_write(values, &text, "The report");
	if (error)
		action_fail(error);
	return error ? GDBPROF_FAILED : 0;
}

/* Prints the options of VIEW, and the list of views. */
static struct prof_error *print_help(const struct prof_view *view, FILE *to)
{
	AUTO_TEXT struct prof_text text = {0};
	AUTO_FREE struct prof_option *rows = all_rows(view);

	if (!rows)
		return prof_error_nomem();
	prof_text_prose(&text, 0,
		"The view shows the sum of several files.  With a gmon.out, also name the program that wrote it.\n\n"
		"With --view, --help lists the options of that view.");
	prof_option_describe(rows, &text);
	prof_text_print(&text, "\n\nThe views are:\n");
	for (size_t i = 0; prof_views[i]; i++)
		prof_text_print(&text, "  %-12s%.*s\n", prof_views[i]->name,
			(int)strcspn(prof_views[i]->describe, "\n"), prof_views[i]->describe);
	struct prof_error *error = prof_text_error(&text);
	if (!error)
		fputs(prof_text_get(&text), to);
	return error;
}

static void help(char **arguments, FILE *to)
{
	const struct prof_view *view = NULL;
	struct prof_error *error = find_view(arguments, &view);

	if (!error)
		error = print_help(view, to);
	if (error)
		action_fail(error);
}

static int run(int count, char **arguments)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	const struct prof_view *view = NULL;

	setlocale(LC_CTYPE, "");
	struct prof_error *error = find_view(arguments, &view);
	AUTO_FREE struct prof_option *rows = error ? NULL : all_rows(view);
	if (!error)
		error = rows ? prof_option_values_read(
				       &values, rows, arguments, count, "gdbprof report --help")
			     : prof_error_nomem();
	if (error) {
		action_fail(error);
		return GDBPROF_USAGE;
	}
	return values.count ? report(view, &values)
			    : action_usage(&action_report, "There is no file to report.");
}

/* If what stands for a view is none, the options are those of the default. */
static struct prof_option *rows_of(char **arguments)
{
	const struct prof_view *view = prof_view_find(DEFAULT_VIEW);
	AUTO_ERROR struct prof_error *error = find_view(arguments, &view);

	return all_rows(view);
}

const struct action action_report = {
	.name = "report",
	.usage = "[--view=VIEW] [OPTION]... FILE...",
	.describe = "Print a view of profiles.",
	.run = run,
	.help = help,
	.rows = rows_of,
};
