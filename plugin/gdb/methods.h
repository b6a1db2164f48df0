/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Methods of the objects that GDB's module makes: program spaces, inferiors, breakpoints, symbols,
 * values and commands.  Other rooms hold such objects, but call none of their methods.
 */
#ifndef PROF_PLUGIN_GDB_METHODS_H
#define PROF_PLUGIN_GDB_METHODS_H

#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What the method NAME of SPACE, a gdb.Progspace, returns for ADDRESS: a new reference, or NULL for
 * None too; no exception.
 */
PyObject *methods_space_at(PyObject *space, const char *name, uint64_t address);

/*
 * A new internal breakpoint of TYPE, one of the plugin's, at ADDRESS of the current program space:
 * a new reference, or NULL where it cannot be set; no exception.
 */
PyObject *methods_breakpoint_set(PyObject *type, uint64_t address);

/*
 * A new breakpoint of TYPE, one of the plugin's, at LOCATION, as `break` takes it, which the user
 * sees: a new reference.  NULL with an exception.
 */
PyObject *methods_breakpoint_place(PyObject *type, const char *location);

/* Deletes BREAKPOINT, unless the user has done so. */
void methods_breakpoint_delete(PyObject *breakpoint);

/* Has the user deleted BREAKPOINT? */
bool methods_breakpoint_is_deleted(PyObject *breakpoint);

/* Has the architecture of PROCESS, an inferior's, the register NAME?  False if that is not known.
 */
bool methods_has_register(pid_t process, const char *name);

/* The address of what SYMBOL, a gdb.Symbol, stands for.  False: not known; *RET is untouched. */
bool methods_symbol_address(PyObject *symbol, uint64_t *ret);

/* The text of VALUE, a gdb.Value that is a string: a new str, or NULL with an exception. */
PyObject *methods_value_text(PyObject *value);

/* An empty line does not repeat COMMAND, a gdb.Command.  False: an exception is pending. */
bool methods_command_once(PyObject *command);

#endif
