/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The place where the selected thread stands, and why, in a few words. */
#ifndef PROF_PLUGIN_GDB_PLACE_H
#define PROF_PLUGIN_GDB_PLACE_H

#include "base/error.h"
#include "base/text.h"
#include "plugin/gdb/python_object.h"

/* Adds "work at work.c:17", or as much of it as is known; an address where there is no name. */
void place_print(struct prof_text *text);

/*
 * Adds why EVENT, a gdb.StopEvent, has come, and where its thread stands: "breakpoint 2, work at
 * work.c:17".
 */
void place_print_stop(PyObject *event, struct prof_text *text);

/* The file, as GDB calls it, at whose lines `list` goes on; the caller frees it. */
struct prof_error *place_listed_file(char **ret) PROF_MUST_CHECK;

/* The name of the selected frame's function; NULL: there is none.  The caller frees it. */
char *place_function(void);

#endif
