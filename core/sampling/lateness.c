/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/lateness.h"

#include <math.h>

/*
 * ns beyond what is usual: of the 10 us, those that are left when other samples are 4 us late by
 * chance; and with what the thread runs before it switches.
 */
static const double LEAST = 5500, MOST = 20000;

/* The usual lateness is an average over so many samples, to each of which it moves by ns at most.
 */
enum { SAMPLES = 8 };
static const double STEP = 1000;

/* A shorter part of the mean period shows too little. */
static const double SHORT = 0.1;

bool prof_lateness_judge(struct prof_lateness *lateness, int64_t late, double part)
{
	double beyond = (double)late - lateness->usual * part;
	bool known = lateness->count == SAMPLES;

	if (fabs(beyond) > MOST) {
		/* It has changed, as when another profiler has begun. */
		if (part > SHORT && ++lateness->strange == SAMPLES)
			*lateness = (struct prof_lateness){.usual = (double)late / part};
		return false;
	}
	lateness->strange = 0;
	if (part > SHORT) {
		double by = beyond / part;
		lateness->count += !known;
		lateness->usual += (known ? fmax(fmin(by, STEP), -STEP) : by) / lateness->count;
	}
	return known && beyond > LEAST;
}
