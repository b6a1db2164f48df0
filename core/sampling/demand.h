/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Demand: how much of a CPU a thread has got lately of what it could have used, and so what a stop
 * costs it.  One that would have waited for a CPU anyway loses less than the time that it is kept.
 */
#ifndef PROF_SAMPLING_DEMAND_H
#define PROF_SAMPLING_DEMAND_H

#include <stdint.h>

/* In ns, the older the less.  Zeroes: nothing is known. */
struct prof_demand {
	int64_t run;   /* on a CPU */
	int64_t delay; /* waiting for one */
};

/* It ran for RUN and waited for a CPU for DELAY more. */
void prof_demand_count(struct prof_demand *demand, int64_t run, int64_t delay);

/*
 * The CPU time that the thread would have used while it was KEPT stopped; all of KEPT if that is
 * not known.
 */
int64_t prof_demand_lost(const struct prof_demand *demand, int64_t kept);

#endif
