/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The paths of user stacks, made of those that were met. */
#ifndef PROF_PARALLEL_USER_PATHS_H
#define PROF_PARALLEL_USER_PATHS_H

#include "base/map.h"
#include "parallel/user_stacks.h"

struct prof_experiment;
struct prof_openmp_regions;
struct prof_openmp_stacks;

/* A path that was made, and what is known of it. */
struct prof_user_path {
	uint32_t path;
	uint8_t class;   /* bits of enum prof_class, those of OpenMP */
	uint32_t region; /* the innermost one; PROF_NONE: none */
};

struct prof_user_paths {
	struct prof_experiment *experiment; /* gets them; borrowed, as is all else */
	const struct prof_openmp_stacks *stacks;
	const struct prof_openmp_regions *regions;
	enum prof_stacks mode;

	/* Private part. */
	uint32_t *bases;      /* by path: that which ends with what a worker does first; 0: none */
	struct prof_map made; /* by path and opener: the number of a row */
	PROF_ARRAY(struct prof_user_path) items;
};

/* PATHS, all of whose public members are set, begins. */
struct prof_error *prof_user_paths_init(struct prof_user_paths *paths) PROF_MUST_CHECK;

/* The region whose function begins what the thread of PATH, a worker, does, or PROF_NONE. */
uint32_t prof_user_paths_base(const struct prof_user_paths *paths, uint32_t path);

/*
 * The path for samples that were met at PATH.  OPENER is the path that has opened the region of a
 * worker, where the stack alone does not show it; 0: there is none.
 */
struct prof_error *prof_user_paths_get(struct prof_user_paths *paths, uint32_t path,
	uint32_t opener, uint32_t *ret) PROF_MUST_CHECK;

/* Has all paths that were made their classes and regions in the experiment. */
struct prof_error *prof_user_paths_classify(struct prof_user_paths *paths) PROF_MUST_CHECK;

/* Frees what PATHS holds. */
void prof_user_paths_deinit(struct prof_user_paths *paths);
#define AUTO_USER_PATHS PROF_AUTO(prof_user_paths_deinit)

#endif
