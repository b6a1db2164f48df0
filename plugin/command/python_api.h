/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The experiment at hand as Python sees it: functions of the module _prof, of which
 * gdbscripts/objects.py makes the module `prof`.  Long lists come as bytes, an array of numbers of
 * this machine each.
 */
#ifndef PROF_PLUGIN_COMMAND_PYTHON_API_H
#define PROF_PLUGIN_COMMAND_PYTHON_API_H

#include "plugin/gdb/python_object.h"

#include <stdbool.h>

/* Adds them to MODULE.  False: a Python exception is pending. */
bool python_api_register(PyObject *module);

#endif
