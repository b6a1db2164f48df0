/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where code of the program has called the runtime of OpenMP, by its files: libgomp jumps from one
 * of its functions to the next, so that stacks do not show the one that was called.
 */
#ifndef PROF_PLUGIN_SESSION_CALL_TARGETS_H
#define PROF_PLUGIN_SESSION_CALL_TARGETS_H

#include "model/experiment.h"

/*
 * Adds to EXPERIMENT what those frames call that have called a runtime in the paths from FIRST on.
 * What the files do not show stays unknown.
 */
struct prof_error *call_targets_read(
	struct prof_experiment *experiment, size_t first) PROF_MUST_CHECK;

#endif
