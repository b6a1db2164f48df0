/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stacks as the user of OpenMP thinks of them: an experiment made of another one, in which the
 * stack of a worker continues that of the thread that has opened the region, what happens in the
 * runtime is one artificial function, and regions are called by their place in the source.
 */
#ifndef PROF_PARALLEL_USER_STACKS_H
#define PROF_PARALLEL_USER_STACKS_H

#include "base/progress.h"

struct prof_experiment;

/* How stacks are shown. */
enum prof_stacks {
	PROF_STACKS_USER,    /* as above */
	PROF_STACKS_MACHINE, /* as they were met */
	PROF_STACKS_MODES,
};

/* The words for them: "user", "machine". */
extern const char *const prof_stacks_names[PROF_STACKS_MODES];

/*
 * Makes of EXPERIMENT, whose frames are resolved and which is not changed, one whose stacks are as
 * MODE says.  In either mode time that workers have waited is divided into wait, at the end of
 * regions, and idle time: samples may become two.  The samples of a large experiment are in a
 * temporary file, see model/spool.h.  The caller destroys *RET; NULL: EXPERIMENT does not use
 * OpenMP, and is shown as it is.
 */
struct prof_error *prof_user_stacks_create(const struct prof_experiment *experiment,
	enum prof_stacks mode, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

/*
 * Makes *EXPERIMENT, whose frames are resolved, what is shown in MODE: classifies its stacks, and
 * replaces it if prof_user_stacks_create() makes another one of it.
 */
struct prof_error *prof_user_stacks_apply(struct prof_experiment **experiment,
	enum prof_stacks mode, const struct prof_progress *progress) PROF_MUST_CHECK;

#endif
