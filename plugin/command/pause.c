/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-pause. */
#include "plugin/command/command.h"

#include "plugin/session/session.h"

const struct command command_pause = {
	.name = "prof-pause",
	.category = "COMMAND_RUNNING",
	.usage = "",
	.describe = "Pause the recording until prof-resume, and make a mark.\n"
		    "What the program does until then is in no sample.",
	.options = &command_no_options,
	.say = session_pause,
};
