/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The commands that print views: one for each view. */
#include "plugin/command/command.h"

#include "plugin/command/annotate.h"
#include "plugin/command/choice.h"
#include "plugin/gdb/code.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"

#include <stdlib.h>
#include <string.h>

static struct prof_error *print(const struct prof_view *view, const struct prof_choice *choice,
	const struct prof_progress *progress, struct prof_text *text)
{
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow_stacks(choice->stacks, progress, &experiment);

	if (error)
		return error;
	error = prof_view_print(view, experiment, choice, progress, text);
	session_return();
	return error;
}

static struct prof_error *run_view(
	const struct command *command, const struct option_values *values)
{
	const struct prof_view *view = prof_view_find(command_name_rest(command->name));
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(choice_deinit) struct choice choice = {0};
	PROF_AUTO(code_end) struct code code = {0};
	struct host_progress progress;
	AUTO_FREE char *function = NULL;
	AUTO_FREE char *here = NULL;

	struct prof_error *error = command_join(values, 0, &function);
	if (!error)
		error = choice_read(values, command->options, &choice);
	if (!error)
		error = settings_bound(&text);
	if (error)
		return error;
	/* The name of a C++ function may contain spaces. */
	choice.choice.function = *function ? function : NULL;
	if (!*function && view->here)
		error = annotate_function(&here);
	if (error)
		return error;
	if (here)
		choice.choice.function = here;
	bool is_text = choice.choice.format == PROF_FORMAT_TEXT;
	bool screen = !option_get(values, "output");
	code_begin(&code, screen && is_text);
	choice.choice.code = &code.code;
	host_progress_begin(&progress);
	text.progress = &progress.progress;
	error = print(view, &choice.choice, &progress.progress, &text);
	host_progress_end(&progress);
	error = filter_explain(error);
	/* Text has the notes within the code. */
	if (!error && !(screen && is_text))
		error = host_write(prof_text_get(&code.code.notes));
	return error ? error : choice_write(values, &text);
}

const struct command *command_of_view(const struct prof_view *view)
{
	AUTO_TEXT struct prof_text name = {0};
	AUTO_FREE struct command *command = malloc(sizeof *command);

	prof_text_print(&name, "prof-%s", view->name);
	AUTO_FREE char *kept = strdup(prof_text_get(&name));
	if (!command || !kept || name.failed)
		return NULL;
	*command = (struct command){
		.name = steal(&kept),
		.group = view->traced ? COMMAND_TRACED : COMMAND_SAMPLES,
		.category = "COMMAND_DATA",
		.usage = view->usage ? view->usage : "",
		.describe = view->describe,
		.options = view->options,
		.arguments = view->usage ? COMMAND_FUNCTIONS : COMMAND_NO_ARGUMENT,
		.repeats = true,
		.run = run_view,
	};
	return steal(&command);
}
