/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Python types derived from GDB's, made from tables. */
#ifndef PROF_PLUGIN_GDB_TYPE_H
#define PROF_PLUGIN_GDB_TYPE_H

#include "plugin/gdb/python_object.h"

#include <stdbool.h>

/*
 * A new type NAME derived from gdb.BASE, with METHODS (static, ends with an empty row) and the help
 * text DOC.  NULL with an exception.
 */
PyObject *type_create(const char *name, const char *base, PyMethodDef *methods, const char *doc);

/*
 * Has TYPE hold ROW, the row of a table that it is made from, which must outlive it.  False: an
 * exception.
 */
bool type_set_row(PyObject *type, const void *row);

/* The row that the type of OBJECT holds; NULL: an exception. */
const void *type_row(PyObject *object);

/* A constant of the module gdb, such as COMMAND_DATA.  NULL with an exception. */
PyObject *type_constant(const char *name);

#endif
