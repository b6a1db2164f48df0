/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Convenience functions, for expressions and conditions of GDB's own language. */
#ifndef PROF_PLUGIN_COMMAND_CONVENIENCE_H
#define PROF_PLUGIN_COMMAND_CONVENIENCE_H

#include <stdbool.h>

/*
 * Makes $_prof_inclusive, $_prof_exclusive, $_prof_samples and $_prof_mark known to GDB.  False: a
 * Python exception is pending.
 */
bool convenience_register(void);

#endif
