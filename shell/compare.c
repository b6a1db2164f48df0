/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `gdbprof compare`: compares two profiles, without GDB. */
#include "shell/gdbprof.h"

#include "base/text.h"
#include "formats/import.h"
#include "model/experiment.h"
#include "parallel/user_stacks.h"
#include "shell/choice.h"
#include "view/compare.h"

#include <locale.h>
#include <stdlib.h>

/* Compares the two files in VALUES. */
static struct prof_error *compare(
	const struct prof_option_values *values, const struct prof_choice *choice)
{
	AUTO_EXPERIMENT struct prof_experiment *a = NULL, *b = NULL;
	AUTO_TEXT struct prof_text text = {.most = CHOICE_MOST};
	const struct prof_compare_choice *own = choice->own;
	struct prof_experiment **sides[PROF_COMPARISON_SIDES] = {&a, &b};
	struct prof_error *error = NULL;

	for (int i = 0; i < PROF_COMPARISON_SIDES && !error; i++) {
		error = prof_import_read(values->arguments[i], NULL, sides[i]);
		if (!error)
			error = prof_user_stacks_apply(sides[i], choice->stacks, NULL);
	}
	if (error)
		return error;
	const struct prof_compare_request request = {
		.experiments = {a, b},
		.files = {values->arguments[0], values->arguments[1]},
		.normalize = own->normalize,
		.choice = choice,
	};
	error = prof_compare_print(&request, NULL, &text);
	return error ? error : choice_write(values, &text, "The comparison");
}

/* Checks that what follows the files is a function, for the view of callers. */
static int check_words(const struct prof_option_values *values, struct prof_choice *choice)
{
	const struct prof_compare_choice *own = choice->own;

	if (values->count < PROF_COMPARISON_SIDES)
		return action_usage(
			&action_compare, "There are not two files to compare: name both.");
	if (values->count > PROF_COMPARISON_SIDES + 1)
		return action_usage(&action_compare,
			"There are more words than two files and a FUNCTION: put a name with blanks in quotes.");
	if (values->count == PROF_COMPARISON_SIDES)
		return 0;
	choice->function = values->arguments[PROF_COMPARISON_SIDES];
	return own->view == PROF_COMPARE_CALLERS
		? 0
		: action_usage(&action_compare,
			  "A function can be given only with --view=callers: leave out \"%s\".",
			  choice->function);
}

static int run(int count, char **arguments)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	AUTO_FREE void *own = NULL;
	struct prof_choice choice = {.own = NULL};

	setlocale(LC_CTYPE, "");
	struct prof_error *error = prof_option_values_read(
		&values, prof_compare_options.rows, arguments, count, "gdbprof compare --help");
	if (!error)
		error = choice_read(&values, &prof_compare_options, &choice, &own);
	if (error) {
		action_fail(error);
		return GDBPROF_USAGE;
	}
	int status = check_words(&values, &choice);
	if (status)
		return status;
	error = compare(&values, &choice);
	if (error)
		action_fail(error);
	return error ? GDBPROF_FAILED : 0;
}

static void help(char **arguments, FILE *to)
{
	(void)arguments;
	action_describe(
		"For each function, panel of callers, or node of the call tree it prints the value in A, the value in B, the difference B - A and the ratio B / A.  The largest changes come first.\n\n"
		"With --view=callers, FUNCTION is as for prof-callers in GDB.",
		prof_compare_options.rows, to);
}

static struct prof_option *all_rows(char **arguments)
{
	(void)arguments;
	return choice_rows(NULL, 0, &prof_compare_options);
}

const struct action action_compare = {
	.name = "compare",
	.usage = "[OPTION]... A B [FUNCTION]",
	.describe = "Compare the profiles A and B.",
	.run = run,
	.help = help,
	.rows = all_rows,
};
