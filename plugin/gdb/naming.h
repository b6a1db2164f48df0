/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The names of functions in experiments, by debugging information. */
#ifndef PROF_PLUGIN_GDB_NAMING_H
#define PROF_PLUGIN_GDB_NAMING_H

#include "base/text.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <stdint.h>

/* Writes the name that a symbol table has of the function that begins at ADDRESS, nothing for none.
 */
typedef void naming_symbol(void *context, uint64_t address, struct prof_text *text);

/*
 * The name of the function of the gdb.Block BLOCK, which the caller frees, or NULL: it is that of
 * none.  No exception.  GDB calls all lambdas of one signature the same; FIND, with CONTEXT, tells
 * them apart by the symbol table, and where they are inlined their first line does.  FIND is NULL
 * where GDB itself can be asked: that also demangles the names of D, which GDB's debugging
 * information has as they are mangled.
 */
char *naming_of(PyObject *block, naming_symbol *find, void *context);

/* GDB's name for ADDRESS, without the section that it is in; "" for none. */
void naming_address(uint64_t address, struct prof_text *text);

/* Where the symbol table knows no function that begins at ADDRESS, it is called NAME from now on.
 */
void naming_note(uint64_t address, const char *name);

#endif
