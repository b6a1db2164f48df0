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

/*
 * Registers the convenience function NAME, of a new type CALLED derived from gdb.Function, with
 * METHODS and DOC as for type_create().  False: an exception.
 */
bool type_add_function(const char *called, const char *name, PyMethodDef *methods, const char *doc);

/*
 * Registers the command NAME of TYPE, derived from gdb.Command, in the CATEGORY, the name of a
 * constant.  COMPLETER is another, or NULL: the type completes words.  PREFIX: others begin with
 * it.  False: an exception.
 */
bool type_add_command(
	PyObject *type, const char *name, const char *category, const char *completer, bool prefix);

/*
 * Registers the setting NAME of TYPE, derived from gdb.Parameter, whose values are WORDS, a list,
 * or, if that is NULL, any text.  A new reference; NULL with an exception.
 */
PyObject *type_add_parameter(PyObject *type, const char *name, PyObject *words);

#endif
