/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command that compares two experiments. */
#include "plugin/command/command.h"

#include "plugin/command/choice.h"
#include "plugin/command/compare_side.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "view/compare.h"

#include <stdlib.h>

static struct prof_error *print(const struct option_values *values,
	const struct prof_choice *choice, const struct prof_progress *progress,
	struct prof_text *text)
{
	const struct prof_compare_choice *own = choice->own;
	PROF_AUTO(compare_side_deinit) struct compare_side a = {0}, b = {0};
	struct prof_error *error = compare_side_read(values, 0, choice->stacks, progress, &a);

	if (!error)
		error = compare_side_read(values, 1, choice->stacks, progress, &b);
	const struct prof_compare_request request = {
		.experiments = {a.experiment, b.experiment},
		.files = {a.file, b.file},
		.normalize = own->normalize,
		.choice = choice,
	};

	return error ? error : prof_compare_print(&request, progress, text);
}

static struct prof_error *run_compare(
	const struct command *command, const struct option_values *values)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(choice_deinit) struct choice choice = {0};
	struct host_progress progress;
	AUTO_FREE char *function = NULL;

	struct prof_error *error = command_join(values, PROF_COMPARISON_SIDES, &function);
	if (!error)
		error = choice_read(values, command->options, &choice);
	if (!error)
		error = settings_bound(&text);
	if (error)
		return error;
	const struct prof_compare_choice *own = choice.choice.own;
	if (*function && own->view != PROF_COMPARE_CALLERS)
		return prof_error_create(PROF_ERROR_USAGE,
			"%s takes a function only with --view=callers: leave out \"%s\".",
			command->name, function);
	choice.choice.function = *function ? function : NULL;
	host_progress_begin(&progress);
	text.progress = &progress.progress;
	error = print(values, &choice.choice, &progress.progress, &text);
	host_progress_end(&progress);
	error = filter_explain(error);
	return error ? error : choice_write(values, &text);
}

const struct command command_compare = {
	.name = "prof-compare",
	.group = COMMAND_SAMPLES,
	.category = "COMMAND_DATA",
	.usage = "A B [FUNCTION]...",
	.describe =
		"Compare the experiments in the files A and B.\n"
		"For each function, panel of callers, or node of the call tree it prints the value in A, the value in B, the difference B - A and the ratio B / A.  "
		"The largest changes come first.  "
		"With --view=callers, FUNCTION is as for prof-callers.\n\n"
		"The experiment at hand stays as it is.",
	.options = &prof_compare_options,
	.arguments = COMMAND_FILES,
	.least = PROF_COMPARISON_SIDES,
	.repeats = true,
	.run = run_compare,
};
