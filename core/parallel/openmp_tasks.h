/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where the code stands that has created a task, as far as the stack of the thread that executes
 * the task shows it:
 *
 *	created and executed at once          the stack goes on in the task
 *	executed while its creator waits      the function that has the task's code, if it is on the
 *	for tasks                             stack since the creator began; else the creator itself
 *	executed anywhere else                the region: the creator may have been any thread
 */
#ifndef PROF_PARALLEL_OPENMP_TASKS_H
#define PROF_PARALLEL_OPENMP_TASKS_H

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;
struct prof_openmp_regions;
struct prof_openmp_stacks;

/* Does PATH end with the function of a task, which the runtime has called? */
bool prof_openmp_is_task(const struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks, const struct prof_openmp_regions *regions,
	uint32_t path);

/*
 * The path that goes on in the task that PATH ends with, for the user.  0: the stack shows neither
 * the code that has created the task nor its region.
 */
uint32_t prof_openmp_creator(const struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks, const struct prof_openmp_regions *regions,
	uint32_t path);

#endif
