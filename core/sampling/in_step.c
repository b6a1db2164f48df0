/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/in_step.h"

/* Of the time between two interrupts: timers of a thread that is met at random are as early as
 * that, on average over 32, less than once in a thousand cases. */
static const double EARLY = 0.42;

/* Of the time: a thread that has its CPU for more of it is met early by chance. */
static const double BUSY = 0.5;

bool prof_in_step_add(
	struct prof_in_step *in_step, int64_t late, int64_t cpu, int64_t wall, int64_t tick)
{
	in_step->rings++;
	in_step->late += late;
	in_step->cpu += cpu;
	in_step->wall += wall;
	if (in_step->rings < PROF_IN_STEP_RINGS)
		return false;
	const struct prof_in_step sum = *in_step;
	*in_step = (struct prof_in_step){0};
	return (double)sum.cpu < BUSY * (double)sum.wall &&
		(double)sum.late < EARLY * (double)tick * sum.rings;
}
