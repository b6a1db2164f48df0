/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stacks of programs with OpenMP: where regions, the runtime and the program's own code are in
 *them.
 *
 *	main            GOMP_parallel   main._omp_fn.0   burn          the thread that opens a
 *region clone3          (libgomp)       main._omp_fn.0   GOMP_barrier  a worker clone3 (libgomp) a
 *worker that waits
 */
#ifndef PROF_PARALLEL_OPENMP_STACKS_H
#define PROF_PARALLEL_OPENMP_STACKS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_error;
struct prof_experiment;

/* What a stack is, as far as its frames go. */
struct prof_openmp_stack {
	uint8_t construct; /* enum prof_construct: of the runtime at its end; NONE: it is not there
			    */
	bool user;         /* it has code of the program */
	bool worker;       /* its thread is one of the runtime's own */
	bool task; /* the runtime has called a task at its end, or anything else but a region */
	/* Of the runtime at its end. */
	bool starts;    /* what its last frame calls is a region's function */
	bool microtask; /* that frame is of a function that calls nothing else */
	bool jumped;    /* a region's function, which has no frame any more, has jumped there */
	uint16_t depth; /* parallel regions that it is in; a worker that waits: 0 */
	/* Paths that end with the function that the runtime has called last, 0: none; with the code
	   that has opened that region, 0: a thread that is not this one's; and with the code that
	   has called the runtime at its end. */
	uint32_t region, opener, caller;
};

/* By path; all zeroes is none. */
struct prof_openmp_stacks {
	struct prof_openmp_stack *items;
	bool used; /* is there a frame of a runtime in any of them? */
};

/* Those of EXPERIMENT, whose frames are resolved. */
struct prof_error *prof_openmp_stacks_init(struct prof_openmp_stacks *stacks,
	const struct prof_experiment *experiment) PROF_MUST_CHECK;

/* Frees what STACKS holds. */
void prof_openmp_stacks_deinit(struct prof_openmp_stacks *stacks);
#define AUTO_OPENMP_STACKS PROF_AUTO(prof_openmp_stacks_deinit)

/* Is the thread of STACK, which is a worker's, outside of any code of the program? */
static inline bool prof_openmp_is_idle(const struct prof_openmp_stack *stack)
{
	return stack->worker && !stack->region && !stack->jumped;
}

/* The class of STACK, an enum prof_class, where it is not known whether a region is open. */
unsigned prof_openmp_class(const struct prof_openmp_stack *stack);

/* Classifies the stacks of EXPERIMENT: see parallel/class.c. */
struct prof_error *prof_openmp_classify(
	const struct prof_experiment *experiment, uint8_t *classes) PROF_MUST_CHECK;

#endif
