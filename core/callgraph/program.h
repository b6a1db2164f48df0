/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program of counts: what the addresses are that gmon.out has counts of. */
#ifndef PROF_CALLGRAPH_PROGRAM_H
#define PROF_CALLGRAPH_PROGRAM_H

#include "base/progress.h"
#include "model/counts.h"

/*
 * Says that the counts of EXPERIMENT, which has some, are of the program in the file PATH: its
 * functions become the experiment's.
 */
struct prof_error *prof_counts_resolve(struct prof_experiment *experiment, const char *path,
	const struct prof_progress *progress) PROF_MUST_CHECK;

#endif
