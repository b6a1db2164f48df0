/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an experiment has: views, formats and filters need some of it. */
#ifndef PROF_MODEL_CONTENTS_H
#define PROF_MODEL_CONTENTS_H

struct prof_experiment;

/* Bits. */
enum prof_has {
	PROF_HAS_STACKS = 1 << 0, /* samples with the stacks in which they were taken */
	PROF_HAS_COSTS = 1 << 1,  /* what places in the code cost, be they in stacks or not */
	PROF_HAS_GMON = 1 << 2,   /* a histogram of addresses and counts of calls */
	PROF_HAS_CALLS = 1 << 3,  /* single calls */
};

/*
 * The bits of what EXPERIMENT has.  One without samples has the stacks and costs of a recording in
 * which nothing was met.
 */
unsigned prof_experiment_has(const struct prof_experiment *experiment);

#endif
