/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The parallel regions and tasks of an experiment: the functions that compilers have made of their
 * code, who opens them, and what they are called.
 */
#ifndef PROF_PARALLEL_OPENMP_REGIONS_H
#define PROF_PARALLEL_OPENMP_REGIONS_H

#include "base/error.h"
#include "base/map.h"

#include <stdbool.h>

struct prof_experiment;
struct prof_openmp_stacks;

/* A function that the runtime calls; several of one name differ in where they begin. */
struct prof_openmp_region {
	uint32_t function; /* as the compiler has named it */
	uint64_t start;    /* the address at which it begins; 0: not known */
	bool task;         /* only seen as a task, or as anything else but a region */
	uint32_t named;    /* the function that stands for it: "main (parallel at main.c:12)" */
	uint32_t opener;   /* the first path that has opened it; 0: none was met */
	bool several;      /* there are others */
	uint32_t file;     /* string: where it begins; "" if not known */
	uint32_t line;     /* 0 if not known */
};

/* All zeroes is none. */
struct prof_openmp_regions {
	PROF_ARRAY(struct prof_openmp_region) items;
	/* By path, of those that STACKS are of: the region whose function it ends with, PROF_NONE
	   for none; and where it has opened regions: the path that ends with such a region's
	   function, 0 for none. */
	uint32_t *of, *opened;
	struct prof_map index;
};

/* Finds those of EXPERIMENT, whose stacks STACKS are; they have no names yet. */
struct prof_error *prof_openmp_regions_init(struct prof_openmp_regions *regions,
	const struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks) PROF_MUST_CHECK;

/* The region whose function PATH ends with was opened by OPENER: no stack has shown that. */
void prof_openmp_regions_open(struct prof_openmp_regions *regions, uint32_t path, uint32_t opener);

/*
 * Adds to EXPERIMENT the functions that regions are named by.  RENAMED: frames of regions get these
 * as their functions.
 */
struct prof_error *prof_openmp_regions_name(struct prof_openmp_regions *regions,
	struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks,
	bool renamed) PROF_MUST_CHECK;

/* Frees what REGIONS holds. */
void prof_openmp_regions_deinit(struct prof_openmp_regions *regions);
#define AUTO_OPENMP_REGIONS PROF_AUTO(prof_openmp_regions_deinit)

#endif
