/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/switches.h"

#include "base/clock.h"

#include <math.h>

/*
 * ns, where clocks have shown nothing.  The average was 3,500 on one virtual machine; a limit as
 * low as that found too few of the missing samples in time.
 */
static const double UNKNOWN = 6500;

/*
 * Times what clocks leave out: before a clock stops, it counts for a while in which it cannot ring.
 * How long that is cannot be seen.  With twice as much the engine stop gives waits too many samples
 * where they are rare, and with once too few where they are frequent.
 */
static const double SILENT = 1.5;

/* The most samples that are kept for the switches of one thread. */
static const double MOST = 8;

double prof_switches_missing(const struct prof_switches *switches)
{
	double chance = switches->exact ? 0 : sqrt(switches->due);

	return fmax(switches->due - switches->had - chance - switches->given, 0);
}

double prof_switches_limit(const struct prof_switches *switches)
{
	return switches->measured ? SILENT * switches->left_out : UNKNOWN;
}

double prof_switches_more(
	const struct prof_switches *switches, double samples, double count, double rate)
{
	double ns = count * prof_switches_limit(switches);

	return fmin(MOST, samples + ns * rate / PROF_NS_PER_SECOND);
}
