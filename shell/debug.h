/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A session of GDB on the terminal, for one rank of a parallel job while the others are recorded.
 */
#ifndef PROF_SHELL_DEBUG_H
#define PROF_SHELL_DEBUG_H

#include "base/error.h"

/*
 * Runs the GDB of WORDS, which end with NULL, with the terminal for its input and output, and waits
 * for its end; *STATUS becomes its exit status, or 128 and the signal that it ended by.  Without a
 * terminal GDB has the input and output of this process.
 *
 * A launcher has its processes in the background of the terminal that it was started on, where they
 * may not read: GDB is in the foreground until it ends.
 */
struct prof_error *debug_run(const char *const *words, int *status) PROF_MUST_CHECK;

#endif
