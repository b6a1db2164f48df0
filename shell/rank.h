/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The GDB that records a rank of a parallel job, and outlives what the launcher does to the rank.
 *
 * A launcher that ends a job kills the processes that it has started with all of their group;
 * MPICH does so by SIGKILL.  GDB is in a group of its own: it learns that the process that the
 * launcher knows has ended, writes what it has recorded, and ends the program.
 */
#ifndef PROF_SHELL_RANK_H
#define PROF_SHELL_RANK_H

#include "base/error.h"

#include <stdbool.h>

/* The file of GDB's to which it writes the number of each signal that the program gets as well. */
#define RANK_NOTES "GDBPROF_NOTES"

/*
 * Makes a child for GDB.  In the child *IS_CHILD is true, and the caller executes GDB, with
 * RANK_NOTES in its environment.  In this
 * process it is false when the child has ended, and *STATUS is its exit status; if a signal has
 * ended the child, this process ends by the same signal.  Until then this process passes on to
 * GDB's program, which would get them without GDB, all signals that it gets, but those that stop a
 * process, and those that the launcher sends to all processes of the rank.
 */
struct prof_error *rank_split(bool *is_child, int *status) PROF_MUST_CHECK;

#endif
