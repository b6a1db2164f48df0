/*
 * Spots: places in the program that leave a mark each time they are reached, by prof-mark-at.  They
 * are breakpoints of the user's, seen by `info breakpoints` and `delete`, at which nothing stops.
 */
#ifndef PROF_PLUGIN_COLLECT_SPOTS_H
#define PROF_PLUGIN_COLLECT_SPOTS_H

#include "base/error.h"
#include "base/text.h"
#include "plugin/gdb/python.h"

#include <stdbool.h>

/* Adds to MODULE, _prof, what is needed.  False, with an exception: it can't. */
bool spots_register(PyObject *module);

/* Makes one as TEXT says: "LOCATION [LABEL] [if CONDITION]". */
struct prof_error *spots_add(const char *text) PROF_MUST_CHECK;

/* Has GDB found the place of any in the program? */
bool spots_have_breakpoints(void);

/* Adds a line for each. */
void spots_list(struct prof_text *text);

#endif
