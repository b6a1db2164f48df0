/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Convenience functions, for expressions and conditions of GDB's own language. */
#ifndef PROF_PLUGIN_COMMAND_CONVENIENCE_H
#define PROF_PLUGIN_COMMAND_CONVENIENCE_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Makes $_prof_inclusive and the others known to GDB.  False: a Python exception is pending.
 */
bool convenience_register(void);

/*
 * Sets *RET to the metric ASKED, or the default if it is NULL, of what NAME stands for, times in
 * seconds; 0 if that was not met yet.
 */
struct prof_error *convenience_measure(
	const char *name, const char *asked, bool inclusive, double *ret) PROF_MUST_CHECK;

#endif
