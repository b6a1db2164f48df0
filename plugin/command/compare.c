/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command that compares two experiments. */
#include "plugin/command/command.h"

#include "plugin/command/choice.h"
#include "plugin/command/compare_parts.h"
#include "plugin/command/compare_side.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"
#include "view/compare.h"

#include <stdlib.h>

/* Compares two parts of the experiment at hand. */
static struct prof_error *print_parts(const struct compare_parts *parts,
	const struct prof_choice *choice, const struct prof_progress *progress,
	struct prof_text *text)
{
	const struct prof_compare_choice *own = choice->own;
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow_stacks(choice->stacks, progress, &experiment);

	if (error)
		return error;
	const struct prof_compare_request request = {
		.experiments = {experiment, experiment},
		.files = {prof_text_get(&parts->names[0]), prof_text_get(&parts->names[1])},
		.filters = {&parts->filters[0], &parts->filters[1]},
		.normalize = own->normalize,
		.choice = choice,
	};
	error = prof_compare_print(&request, progress, text);
	session_return();
	return error;
}

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
	PROF_AUTO(compare_parts_deinit) struct compare_parts parts = {0};
	/* Two files, or none. */
	bool files = values->given.count >= PROF_COMPARISON_SIDES;

	struct prof_error *error =
		command_join(values, files ? PROF_COMPARISON_SIDES : 0, &function);
	if (!error)
		error = choice_read(values, command->options, &choice);
	if (!error)
		error = settings_bound(&text);
	if (!error)
		error = compare_parts_read(values, &choice.choice.filter, &parts);
	if (!error && !files && !parts.any)
		error = compare_parts_missing(command->name);
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
	error = files ? print(values, &choice.choice, &progress.progress, &text)
		      : print_parts(&parts, &choice.choice, &progress.progress, &text);
	host_progress_end(&progress);
	error = filter_explain(error);
	return error ? error : choice_write(values, &text);
}

const struct command command_compare = {
	.name = "prof-compare",
	.group = COMMAND_SAMPLES,
	.category = "COMMAND_DATA",
	.usage = "[A B] [FUNCTION]...",
	.describe =
		"Compare the experiments in files A and B, or parts of one.\n"
		"For each function, panel of callers, or node of the call tree it prints the value in A, the value in B, the difference B - A and the ratio B / A.  "
		"The largest changes come first.  "
		"With --view=callers, FUNCTION is as for prof-callers.\n\n"
		"Without files it compares two parts of the experiment at hand: give a filter twice, as in --interval=2 --interval=5 or --between=A,B --between=C,D.  The first is for A, the second for B; filters that you give once are for both.\n\n"
		"The experiment at hand stays as it is.",
	.options = &prof_compare_options,
	.arguments = COMMAND_FILES,
	.repeats = true,
	.run = run_compare,
};
