/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-mark. */
#include "plugin/command/command.h"

#include "plugin/gdb/host.h"
#include "plugin/session/session.h"

static struct prof_error *run_mark(
	const struct command *command, const struct option_values *values)
{
	AUTO_FREE char *label = NULL;
	AUTO_TEXT struct prof_text text = {0};

	(void)command;
	struct prof_error *error = command_join(values, 0, &label);
	if (!error)
		error = session_mark(label, &text);
	return error ? error : host_write(prof_text_get(&text));
}

const struct command command_mark = {
	.name = "prof-mark",
	.group = COMMAND_RECORD,
	.category = "COMMAND_RUNNING",
	.usage = "[LABEL]",
	.describe = "Mark this point in time of the recording.\n"
		    "Marks divide a recording into intervals: see prof-intervals.  "
		    "LABEL names the mark, and the filter --between finds it by that name.",
	.options = &command_no_options,
	.arguments = COMMAND_TEXT,
	.run = run_mark,
};
