/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/state.h"

const char *const prof_state_names[PROF_STATES] = {
	[PROF_STATE_USER] = "user",
	[PROF_STATE_SYSTEM] = "system",
	[PROF_STATE_RUNQUEUE] = "runqueue",
	[PROF_STATE_LOCK] = "lock",
	[PROF_STATE_FAULT] = "fault",
	[PROF_STATE_OTHER] = "other",
	[PROF_STATE_TEXT] = "text-fault",
};
