/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The values of $_hit_bpnum and $_hit_locno: GDB sets them for internal breakpoints too, at which
 * no user has seen it stop.
 */
#ifndef PROF_PLUGIN_GDB_HIT_VARIABLES_H
#define PROF_PLUGIN_GDB_HIT_VARIABLES_H

#include "plugin/gdb/python_object.h"

/* Keeps what they say now. */
void hit_variables_begin(void);

/*
 * The program has stopped for the user by EVENT, a gdb.StopEvent, or it has ended: gives them the
 * values that they would have without internal breakpoints.
 */
void hit_variables_mend(PyObject *event);

/* Forgets what was kept. */
void hit_variables_end(void);

#endif
