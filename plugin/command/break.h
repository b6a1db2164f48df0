/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What prof-break and prof-tbreak have in common. */
#ifndef PROF_PLUGIN_COMMAND_BREAK_H
#define PROF_PLUGIN_COMMAND_BREAK_H

#include "base/error.h"

#include <stdbool.h>

struct command;
struct option_values;

/* Sets the performance breakpoint that VALUES choose. */
struct prof_error *break_run(const struct option_values *values, bool temporary) PROF_MUST_CHECK;

/*
 * The command OF with the options of all kinds, in new memory that lives as long as GDB.  NULL: out
 * of memory.
 */
const struct command *break_command(const struct command *of);

#endif
