/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/access.h"

const char *const prof_access_names[PROF_ACCESSES] = {
	[PROF_ACCESS_NONE] = "",
	[PROF_ACCESS_LOAD] = "load",
	[PROF_ACCESS_STORE] = "store",
	[PROF_ACCESS_LOAD_STORE] = "load-store",
	[PROF_ACCESS_FETCH] = "fetch",
};

const char *const prof_trigger_names[PROF_TRIGGERS] = {
	[PROF_TRIGGER_NONE] = "",
	[PROF_TRIGGER_EXACT] = "exact",
	[PROF_TRIGGER_FOUND] = "found",
	[PROF_TRIGGER_CALL] = "system call",
	[PROF_TRIGGER_UNRESOLVABLE] = "Unresolvable",
	[PROF_TRIGGER_UNVERIFIABLE] = "Unverifiable",
	[PROF_TRIGGER_UNSPECIFIED] = "Unspecified",
};
