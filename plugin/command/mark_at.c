/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-mark-at. */
#include "plugin/command/command.h"

#include "plugin/gdb/host.h"
#include "plugin/marks/mark_breakpoints.h"
#include "plugin/option/option.h"
#include "plugin/session/stranded.h"

static struct prof_error *run_mark_at(
	const struct command *command, const struct option_values *values)
{
	AUTO_TEXT struct prof_text text = {0};

	(void)command;
	struct prof_error *error = mark_breakpoints_add(values->text);
	if (error)
		return error;
	stranded_say(&text);
	error = prof_text_error(&text);
	return error ? error : host_write(prof_text_get(&text));
}

const struct command command_mark_at = {
	.name = "prof-mark-at",
	.group = COMMAND_RECORD,
	.category = "COMMAND_RUNNING",
	.usage = "LOCATION [LABEL] [if CONDITION]",
	.describe =
		"Mark the recording whenever the program reaches LOCATION.\n"
		"LOCATION is a location as for \"break\"; write it in quotes if it has blanks.  "
		"The program does not stop there.  "
		"The mark has the name LABEL, or else that of the location.  "
		"With CONDITION, gdbprof makes a mark only where it is true.\n\n"
		"The command sets a breakpoint: \"info breakpoints\" lists it, \"delete\" removes it, and prof-status shows how often the program reached it.",
	.options = &command_no_options,
	.arguments = COMMAND_LOCATION,
	.run = run_mark_at,
};
