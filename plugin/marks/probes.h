/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The probes of include/gdbprof.h, by which a program marks, pauses, resumes and ends its own
 * recording. They are watched while something is recorded, in the program and in all its libraries.
 */
#ifndef PROF_PLUGIN_MARKS_PROBES_H
#define PROF_PLUGIN_MARKS_PROBES_H

#include "base/error.h"

#include <stdbool.h>

/* What happens when a thread comes to a probe. */
struct probes_actions {
	void (*mark)(const char *label);
	void (*pause)(void);
	void (*resume)(void);
	void (*mute)(bool muted); /* the thread, which is selected */
	void (*end)(void);
};

/* Begins to watch; ACTIONS are static. */
struct prof_error *probes_watch(const struct probes_actions *actions) PROF_MUST_CHECK;

/* May be called twice. */
void probes_unwatch(void);

/* Does the program have such probes, with breakpoints at them? */
bool probes_have_breakpoints(void);

#endif
