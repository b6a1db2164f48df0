/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that the ranks of a parallel job add up together, as `mpirun gdbprof merge` has them do. */
#ifndef PROF_SHELL_GATHER_H
#define PROF_SHELL_GATHER_H

#include "base/error.h"

#include <stddef.h>

struct prof_launch;

/*
 * Adds the COUNT profiles PATHS up to the file OUTPUT, as one of the ranks of the job that LAUNCH
 * is of, all of which are given the same.
 *
 * Each rank adds up its share.  Then every second rank writes its sum beside OUTPUT, for the rank
 * before it to add and to remove, and so on by halves, until rank 0 has all of it.  So the folder
 * of OUTPUT must be one that all ranks see.  The order of the files is kept: the sum is that which
 * one process makes.
 */
struct prof_error *gather(const struct prof_launch *launch, const char *const *paths, size_t count,
	const char *output) PROF_MUST_CHECK;

#endif
