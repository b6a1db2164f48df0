/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of merging share. */
#ifndef PROF_MODEL_MERGE_PRIVATE_H
#define PROF_MODEL_MERGE_PRIVATE_H

#include "model/merge.h"

/* One experiment that is added to another; all but the numbers is borrowed. */
struct prof_merge {
	struct prof_experiment *into;
	const struct prof_experiment *from;
	const struct prof_progress *progress;
	/* By number in FROM: that in INTO. */
	uint32_t *modules, *functions, *frames, *paths, *threads;
	int64_t shift;                       /* ns: added to times */
	size_t samples, marks, first_thread; /* that INTO had before */
};

/* Adds what was traced, as samples that were merged before stand for it. */
struct prof_error *prof_merge_traced(struct prof_merge *merge) PROF_MUST_CHECK;

#endif
