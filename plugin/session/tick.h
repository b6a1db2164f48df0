/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The convenience function $_prof_tick(), by which GDB calls the catch engine. */
#ifndef PROF_PLUGIN_SESSION_TICK_H
#define PROF_PLUGIN_SESSION_TICK_H

#include <stdbool.h>

/* Makes the function known to GDB.  False: a Python exception is pending. */
bool tick_register(void);

#endif
