/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Hides our breakpoints from scripts.  GDB lists the internal breakpoints of its extensions in
 * gdb.breakpoints(), and from GDB 12 on catchpoints too, so that a script that takes the first,
 * counts, or deletes all would meet ours.
 */
#ifndef PROF_PLUGIN_GDB_BREAKPOINTS_H
#define PROF_PLUGIN_GDB_BREAKPOINTS_H

#include "base/error.h"

/* Has gdb.breakpoints() leave out what is ours; a second time changes nothing. */
struct prof_error *breakpoints_hide(void) PROF_MUST_CHECK;

/* Gives gdb.breakpoints() back, unless somebody has put another in its place. */
void breakpoints_show(void);

#endif
