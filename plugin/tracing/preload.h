/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Starts a program with the agent: by `set exec-wrapper`, for one start, so that GDB's shell does
 * not load it.  The user's own wrapper and LD_PRELOAD stay in effect.
 */
#ifndef PROF_PLUGIN_TRACING_PRELOAD_H
#define PROF_PLUGIN_TRACING_PRELOAD_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Has the next program that GDB starts load the library AGENT; a second call changes nothing.  If
 * it cannot, the error says why.
 */
struct prof_error *preload_arm(const char *agent) PROF_MUST_CHECK;

/* Restores the user's settings, unless they are in effect. */
void preload_disarm(void);

/* Will the next program load it? */
bool preload_is_armed(void);

/*
 * Has the user set since then whether GDB starts programs by a shell, so that the program would not
 * load it?  With a wrapper and without a shell GDB would even lose the program.
 */
bool preload_is_outdated(void);

#endif
