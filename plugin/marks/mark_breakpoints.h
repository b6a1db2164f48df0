/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The breakpoints of prof-mark-at: each leaves a mark when the program reaches it, and never stops.
 * They are the user's: `info breakpoints` lists them, `delete` deletes them.
 */
#ifndef PROF_PLUGIN_MARKS_MARK_BREAKPOINTS_H
#define PROF_PLUGIN_MARKS_MARK_BREAKPOINTS_H

#include "base/error.h"
#include "base/text.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>

/* Makes the one that TEXT describes: "LOCATION [LABEL] [if CONDITION]". */
struct prof_error *mark_breakpoints_add(const char *text) PROF_MUST_CHECK;

#endif
