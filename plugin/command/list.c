/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-list: GDB's `list` with the shares of lines. */
#include "plugin/command/command.h"

#include "plugin/command/choice.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/place.h"
#include "plugin/option/option.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"
#include "view/listed.h"
#include "view/options.h"

#include <stdlib.h>

/* Of all options the setting `prof filter` has values. */
static const struct prof_option filter_rows[] = {PROF_FILTER_OPTIONS{.name = NULL}};

static struct prof_error *print(const struct prof_choice *choice, const char *file,
	const char *listed, const struct prof_progress *progress, struct prof_text *text)
{
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow_stacks(choice->stacks, progress, &experiment);

	if (error)
		return error;
	error = prof_listed_print(experiment, choice, file, listed, progress, text);
	session_return();
	return error;
}

/* GDB's own command moves its position, so that both go on where the other has ended. */
static struct prof_error *run_list(
	const struct command *command, const struct option_values *values)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(option_values_deinit) struct option_values none = {0};
	PROF_AUTO(choice_deinit) struct choice choice = {0};
	AUTO_TEXT struct prof_text line = {0};
	AUTO_TEXT struct prof_text listed = {0};
	AUTO_FREE char *file = NULL;
	struct host_progress progress;

	struct prof_error *error = option_parse(command->name, filter_rows, "", &none);
	if (!error)
		error = choice_read(&none, command->options, &choice);
	if (!error)
		error = settings_bound(&text);
	if (error)
		return error;
	prof_text_print(&line, "list %s", values->text);
	error = host_execute(prof_text_get(&line), &listed);
	if (!error)
		error = place_listed_file(&file);
	if (error)
		return error;
	host_progress_begin(&progress);
	error = print(&choice.choice, file, prof_text_get(&listed), &progress.progress, &text);
	host_progress_end(&progress);
	error = filter_explain(error);
	return error ? error : host_write(prof_text_get(&text));
}

const struct command command_list = {
	.name = "prof-list",
	.group = COMMAND_SAMPLES,
	.category = "COMMAND_FILES",
	.usage = "[LOCATION]",
	.describe =
		"List lines of source with their shares of the samples.\n"
		"It takes the arguments of \"list\" and shares its position: without an argument, and at an empty line, it goes on where prof-list or \"list\" has ended.  "
		"Each line begins with its exclusive and its inclusive percentage.",
	.options = &command_no_options,
	.arguments = COMMAND_LOCATION,
	.repeats = true,
	.continues = true,
	.run = run_list,
};
