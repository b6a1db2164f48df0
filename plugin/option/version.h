/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command `show prof version`. */
#ifndef PROF_PLUGIN_OPTION_VERSION_H
#define PROF_PLUGIN_OPTION_VERSION_H

#include <stdbool.h>

/* Makes the command known to GDB; `show prof` exists already.  False with an exception. */
bool version_register(void);

#endif
