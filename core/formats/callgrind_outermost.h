/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The outermost functions of a callgrind file. */
#ifndef PROF_FORMATS_CALLGRIND_OUTERMOST_H
#define PROF_FORMATS_CALLGRIND_OUTERMOST_H

#include "base/error.h"

struct prof_experiment;

/*
 * Adds to EXPERIMENT, whose arcs have costs, an arc without a caller to each function that no other
 * function calls, with the cost of the function and of all its calls.
 */
struct prof_error *prof_callgrind_add_outermost(struct prof_experiment *experiment) PROF_MUST_CHECK;

#endif
