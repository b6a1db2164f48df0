/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-stop. */
#include "plugin/command/command.h"

#include "plugin/session/session.h"

const struct command command_stop = {
	.name = "prof-stop",
	.group = COMMAND_RECORD,
	.category = "COMMAND_RUNNING",
	.usage = "",
	.describe = "End the recording, and report what was recorded.\n"
		    "The experiment stays at hand for views such as prof-tree, and for prof-save.",
	.options = &command_no_options,
	.say = session_stop,
};
