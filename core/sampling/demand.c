/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/demand.h"

/* ns: a few time slices of the scheduler; what is remembered is not older. */
static const int64_t LATELY = 200000000;

void prof_demand_count(struct prof_demand *demand, int64_t run, int64_t delay)
{
	demand->run += run;
	demand->delay += delay;
	while (demand->run + demand->delay > 2 * LATELY) {
		demand->run /= 2;
		demand->delay /= 2;
	}
}

int64_t prof_demand_lost(const struct prof_demand *demand, int64_t kept)
{
	int64_t wanted = demand->run + demand->delay;

	return wanted ? (int64_t)((double)kept * (double)demand->run / (double)wanted) : kept;
}
