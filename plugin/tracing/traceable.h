/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Can the agent be in the program, and may GDB bring it there? */
#ifndef PROF_PLUGIN_TRACING_TRACEABLE_H
#define PROF_PLUGIN_TRACING_TRACEABLE_H

#include "base/error.h"

/* An error that says why the selected inferior's program cannot be traced; NULL: it can. */
struct prof_error *traceable_check(void) PROF_MUST_CHECK;

/* Likewise, why its calls of MPI cannot be traced. */
struct prof_error *traceable_check_mpi(void) PROF_MUST_CHECK;

#endif
