/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-break, and "info prof-breaks". */
#include "plugin/command/break.h"

#include "plugin/breaks/breaks.h"
#include "plugin/command/command.h"
#include "plugin/gdb/host.h"
#include "plugin/option/option.h"

#include <stdlib.h>
#include <string.h>

struct prof_error *break_run(const struct option_values *values, bool temporary)
{
	AUTO_TEXT struct prof_text text = {0};
	AUTO_FREE char *condition = NULL;

	if (values->given.count && strcmp(values->given.arguments[0], "if") != 0)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not an option of prof-break: write a condition as \"if EXPRESSION\".",
			values->given.arguments[0]);
	if (values->given.count == 1)
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-break has no condition after \"if\": give one, or leave out \"if\".");
	struct prof_error *error = command_join(values, 1, &condition);
	if (!error)
		error = breaks_add(values, condition, temporary, &text);
	return error ? error : host_write(prof_text_get(&text));
}

const struct command *break_command(const struct command *of)
{
	struct {
		struct command command;
		struct prof_options options;
	} *made = calloc(1, sizeof *made);

	if (!made)
		return NULL;
	made->options.rows = breaks_options();
	made->command = *of;
	made->command.options = &made->options;
	return made->options.rows ? &made->command : NULL;
}

static struct prof_error *run(const struct command *command, const struct option_values *values)
{
	(void)command;
	return break_run(values, false);
}

static const struct command command_break = {
	.name = "prof-break",
	.group = COMMAND_RECORD,
	.category = "COMMAND_BREAKPOINTS",
	.usage = "[if EXPRESSION]",
	.describe =
		"Stop the program when it misbehaves in time.\n"
		"This sets a performance breakpoint.  "
		"When the program stops there, gdbprof prints what has happened: \"Performance breakpoint 2, parse has run for 10.4 ms\".  "
		"Nothing needs to be recorded.  "
		"With EXPRESSION, the program stops only if it is true in the frame of the function.\n\n"
		"The breakpoint is a catchpoint of GDB's: \"info breakpoints\" lists it, and \"delete\", \"disable\", \"ignore\", \"condition\" and \"commands\" take its number.  "
		"\"info prof-breaks\" lists performance breakpoints with what they stop at.",
	.arguments = COMMAND_TEXT,
	.run = run,
};

const struct command *command_of_break(void)
{
	return break_command(&command_break);
}

const struct command command_breaks = {
	.name = "info prof-breaks",
	.category = "COMMAND_STATUS",
	.usage = "",
	.describe = "List performance breakpoints, and what they stop at.\n"
		    "prof-break sets them.  "
		    "Hits are counted as \"info breakpoints\" does.",
	.options = &command_no_options,
	.say = breaks_list,
};
