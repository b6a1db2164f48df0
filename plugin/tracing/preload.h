/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How a program is started with the agent: `set exec-wrapper`, for one start, so that GDB's shell
 * does not load it.  The user's own wrapper and LD_PRELOAD stay in effect.
 */
#ifndef PROF_PLUGIN_TRACING_PRELOAD_H
#define PROF_PLUGIN_TRACING_PRELOAD_H

#include "base/error.h"

#include <stdbool.h>

/*
 * The next program that GDB starts loads the library AGENT; nothing changes if it would already.
 * An error says why it cannot.
 */
struct prof_error *preload_arm(const char *agent) PROF_MUST_CHECK;

/* Puts back what the user has set; nothing happens if that is so. */
void preload_disarm(void);

/* Will the next program load it? */
bool preload_is_armed(void);

/*
 * Has the user set since then whether GDB starts programs by a shell, so that the program would not
 * load it?  With a wrapper and without a shell GDB would even lose the program.
 */
bool preload_is_outdated(void);

#endif
