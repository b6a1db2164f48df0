/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Reads what callgrind prints with --ct-verbose=2, calls in their order, or with
 * --ct-verbose2=FUNCTION, what happens in FUNCTION alone:
 *
 *	>> thread 1 (was 0)					what follows happens there
 *	+  4 0x486f248 => 0x10919a [calls 1/Ir 0, ...		a call, to depth 4
 *	     0010919a/T  536:main program /src/program.c:4	a block of code, in what function
 *	-  3 0x10919a => 0x486f248 ...				the call is over
 *	Cost [0x1002002820]: Ir 249				what it has cost, with all its calls
 *
 * The first block behind a call has the name of the function that was called.  What a call
 * cost is known when it ends, so its own cost comes after that of its calls.  All other lines are
 * the program's, or for those who debug callgrind, and are skipped.
 */
#ifndef PROF_FORMATS_CALLGRIND_CALLS_H
#define PROF_FORMATS_CALLGRIND_CALLS_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

/* Rows of prof_imports[], see there. */
bool prof_callgrind_calls_probe(const char *bytes, size_t length);
struct prof_error *prof_callgrind_calls_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
