/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Counts the calls of functions, by caller, while something is recorded.
 *
 * Breakpoints stand where the functions are entered: internal ones, which `info breakpoints` does
 * not show, `delete` spares, and nobody sees stop.  There the return address is known without a
 * walk.  They stand in processes that GDB has attached to as well, because the user has asked for
 * them.
 */
#ifndef PROF_PLUGIN_CALLS_COUNTING_H
#define PROF_PLUGIN_CALLS_COUNTING_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Has breakpoints meet the calls of the function number TRACED of traced_functions.h, of the
 * selected inferior, even if no functions are counted.  False: breakpoints cannot be set there.
 */
bool counting_visit(size_t traced);

/* NULL, or that calls are being recorded, beside which nothing can be traced. */
struct prof_error *counting_check_tracing(void) PROF_MUST_CHECK;

#endif
