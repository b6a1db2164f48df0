/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Classes of stacks: what a thread does for a parallel runtime, as far as its stack shows it.
 *
 * A stack may be in several classes, of one runtime in one at the most.  Metrics such as omp-wait
 * count samples by the classes of their stacks: see `shares` in metric/metric.h.
 */
#ifndef PROF_PARALLEL_CLASS_H
#define PROF_PARALLEL_CLASS_H

#include "base/error.h"

struct prof_experiment;

/* Bits of prof_experiment's `classes`. */
enum prof_class {
	PROF_CLASS_OMP_WORK = 1 << 0,   /* inside a parallel region, and not waiting */
	PROF_CLASS_OMP_WAIT = 1 << 1,   /* inside a parallel region, in a wait of the runtime */
	PROF_CLASS_OMP_IDLE = 1 << 2,   /* a worker of the runtime without a region */
	PROF_CLASS_OMP_SERIAL = 1 << 3, /* all else, of a program that uses OpenMP */
	PROF_CLASS_OMP = PROF_CLASS_OMP_WORK | PROF_CLASS_OMP_WAIT | PROF_CLASS_OMP_IDLE |
		PROF_CLASS_OMP_SERIAL,
	PROF_CLASS_MPI_WORK = 1 << 4, /* inside a function of MPI, and not waiting */
	PROF_CLASS_MPI_WAIT = 1 << 5, /* inside one, which polls for messages */
};

/*
 * Classifies the stacks of EXPERIMENT whose frames are resolved, even if they have classes.  Code
 * that has added stacks, or resolved frames, calls it before metrics are used.  If no stack has a
 * class, `classes` is empty.
 */
struct prof_error *prof_classes_update(struct prof_experiment *experiment) PROF_MUST_CHECK;

#endif
