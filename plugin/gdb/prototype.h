/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Prototypes of functions: GDB's types as the signatures that the agent takes (struct
 * prof_traced_function in tracing/ring.h).
 */
#ifndef PROF_PLUGIN_GDB_PROTOTYPE_H
#define PROF_PLUGIN_GDB_PROTOTYPE_H

#include "base/error.h"
#include "base/text.h"
#include "plugin/gdb/python_object.h"

#include <stddef.h>

struct prototype {
	struct prof_text signature;
	size_t arguments; /* all but those that "..." stands for */
	/* The letter of what is returned, then of each argument: '{' for a struct. */
	struct prof_text letters;
};

void prototype_deinit(struct prototype *prototype);

/*
 * The prototype of the function NAME: as SYMBOL, its gdb.Symbol or NULL, has it, or GIVEN, "int
 * (void *, size_t)", unless that is NULL.  If it cannot be handed on, the error says why.
 */
struct prof_error *prototype_read(const char *name, PyObject *symbol, const char *given,
	struct prototype *ret) PROF_MUST_CHECK;

#endif
