/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What the files of a program that uses OpenMP show of its stacks, as long as they are at hand:
 * where regions begin, and what has been called of the runtime.
 */
#ifndef PROF_PLUGIN_SESSION_OPENMP_H
#define PROF_PLUGIN_SESSION_OPENMP_H

#include "base/error.h"

#include <stddef.h>

struct prof_experiment;

/*
 * Adds to EXPERIMENT the frames at which the functions of regions begin, of its frames from FIRST
 * on, all of which are resolved: resolved they have the lines of the regions.
 */
struct prof_error *openmp_add_entries(
	struct prof_experiment *experiment, size_t first) PROF_MUST_CHECK;

/*
 * Adds to EXPERIMENT what the frames call that have called a runtime in the paths from FIRST on:
 * libgomp jumps from one of its functions to the next, so that stacks do not show the one that was
 * called.  What the files do not show stays unknown.
 */
struct prof_error *openmp_read_calls(
	struct prof_experiment *experiment, size_t first) PROF_MUST_CHECK;

#endif
