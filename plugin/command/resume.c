/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-resume. */
#include "plugin/command/command.h"

#include "plugin/session/session.h"

const struct command command_resume = {
	.name = "prof-resume",
	.group = COMMAND_RECORD,
	.category = "COMMAND_RUNNING",
	.usage = "",
	.describe = "Resume a recording that was paused, and make a mark.\n"
		    "It also starts a recording that began with prof-start --paused.",
	.options = &command_no_options,
	.say = session_resume,
};
