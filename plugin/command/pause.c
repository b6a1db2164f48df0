/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-pause. */
#include "plugin/command/command.h"

#include "plugin/session/session.h"

const struct command command_pause = {
	.name = "prof-pause",
	.group = COMMAND_RECORD,
	.category = "COMMAND_RUNNING",
	.usage = "",
	.describe = "Pause the recording until prof-resume, and make a mark.\n"
		    "Until then gdbprof does not record what the program does.",
	.options = &command_no_options,
	.say = session_pause,
};
