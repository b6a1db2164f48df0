/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parallel regions: the time in them, and how evenly it is divided among threads. */
#ifndef PROF_METRIC_REGIONS_H
#define PROF_METRIC_REGIONS_H

#include "base/error.h"
#include "base/value.h"

struct prof_experiment;
struct prof_progress;
struct prof_selection;

/* Times of a region that was traced, in the order of the values of traced events. */
enum prof_region_time {
	PROF_REGION_INSIDE, /* of all threads, in it: work and waits */
	PROF_REGION_EXPLICIT,
	PROF_REGION_IMPLICIT,
	PROF_REGION_CRITICAL,
	PROF_REGION_LOCK,
	PROF_REGION_TASKWAIT,
	PROF_REGION_TIMES,
};

/* What is added up of one region. */
struct prof_region_sum {
	uint32_t region;       /* among the experiment's region_rows */
	uint32_t threads;      /* that were met in it, or traced */
	prof_value work, wait; /* ns of all threads: omp-work and omp-wait */
	/* ns of the thread that has most of it, and of all: work or, if the region was traced, the
	   time inside of it without waits. */
	prof_value most, all;
	uint64_t instances; /* times that it was opened, where these were traced or counted; else 0
			     */
	bool traced;
	prof_value times[PROF_REGION_TIMES]; /* ns, if it was traced */
};

/* Those with any time, the one with most work and wait first; all zeroes is none. */
struct prof_region_sums {
	PROF_ARRAY(struct prof_region_sum) items;
};

/*
 * Adds up the regions of EXPERIMENT, one with user stacks (parallel/user_stacks.h), in the samples
 * of SELECTION, or in all if it is NULL.
 */
struct prof_error *prof_region_sums_init(struct prof_region_sums *sums,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Frees what SUMS holds. */
void prof_region_sums_deinit(struct prof_region_sums *sums);
#define AUTO_REGION_SUMS PROF_AUTO(prof_region_sums_deinit)

/*
 * How far the thread that has MOST of the work is above the mean of THREADS, which have ALL of it,
 * in percent of the mean: 0 is even, 100 is twice the mean.
 */
double prof_region_imbalance(prof_value most, prof_value all, uint32_t threads);

#endif
