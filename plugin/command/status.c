/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-status and its alias info prof. */
#include "plugin/command/command.h"

#include "plugin/session/session.h"

const struct command command_status = {
	.name = "prof-status",
	.group = COMMAND_RECORD,
	.category = "COMMAND_STATUS",
	.usage = "",
	.describe =
		"Show what is being recorded and the overhead of recording it.\n"
		"Before the first recording it prints the range of sampling rates and the resolution of the clock.",
	.options = &command_no_options,
	.say = session_status,
};

const struct command command_info = {
	.name = "info prof",
	.category = "COMMAND_STATUS",
	.usage = "",
	.describe = "Show what is being recorded and the overhead of recording it.\n"
		    "This is the same as prof-status.",
	.options = &command_no_options,
	.say = session_status,
};
