/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Regions that were traced, and of which no stack has the function, because they were too short to
 * be sampled.
 */
#ifndef PROF_PARALLEL_OPENMP_UNSEEN_H
#define PROF_PARALLEL_OPENMP_UNSEEN_H

#include "base/progress.h"
#include "parallel/openmp_stacks.h"

/*
 * Adds a path to EXPERIMENT, whose stacks STACKS are, for each place where traced regions were
 * opened and no stack is in them: it ends with a function that stands for the region's.
 */
struct prof_error *prof_openmp_unseen_add(struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks,
	const struct prof_progress *progress) PROF_MUST_CHECK;

#endif
