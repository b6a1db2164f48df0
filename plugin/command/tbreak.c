/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-tbreak. */
#include "plugin/command/break.h"
#include "plugin/command/command.h"

static struct prof_error *run(const struct command *command, const struct option_values *values)
{
	(void)command;
	return break_run(values, true);
}

static const struct command command_tbreak = {
	.name = "prof-tbreak",
	.group = COMMAND_RECORD,
	.category = "COMMAND_BREAKPOINTS",
	.usage = "[if EXPRESSION]",
	.describe = "Stop the program once when it misbehaves in time.\n"
		    "Like prof-break, but GDB deletes the breakpoint when the program stops there.",
	.arguments = COMMAND_TEXT,
	.run = run,
};

const struct command *command_of_tbreak(void)
{
	return break_command(&command_tbreak);
}
