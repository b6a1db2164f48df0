/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Which region traced waits of OpenMP are in: both have the place that has opened the region as
 * their object.  A worker's stack may not show it.
 */
#ifndef PROF_PARALLEL_OPENMP_PLACES_H
#define PROF_PARALLEL_OPENMP_PLACES_H

#include "base/progress.h"
#include "model/traced_rows.h"
#include "parallel/openmp_stacks.h"

struct prof_openmp_places {
	const struct prof_experiment *experiment; /* borrowed */
	/* By object: the path that has opened its region, 0 for none; NULL: nothing was traced. */
	uint32_t *openers;

	/* Private part. */
	size_t next; /* the traced row behind the one that was looked at last */
	struct prof_traced_rows_place place;
};

/* Those of EXPERIMENT, whose stacks STACKS are. */
struct prof_error *prof_openmp_places_init(struct prof_openmp_places *places,
	const struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Frees what PLACES holds. */
void prof_openmp_places_deinit(struct prof_openmp_places *places);
#define AUTO_OPENMP_PLACES PROF_AUTO(prof_openmp_places_deinit)

/*
 * The path that has opened the region of the sample NUMBER; 0: that was not traced.  Samples are
 * asked for in their order.
 */
uint32_t prof_openmp_places_opener(struct prof_openmp_places *places, uint32_t number);

#endif
