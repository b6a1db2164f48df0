/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/switches.h"

#include <math.h>

/*
 * ns.  The average was 3,500 on one virtual machine where clocks have shown nothing; a limit as low
 * as that found too few of the missing samples in time.
 */
static const double LEAST = 6500;

/* ns: interrupts are off for so long before a clock stops, at most, and it cannot ring. */
static const double SILENT = 4000;

double prof_switches_missing(const struct prof_switches *switches)
{
	double chance = switches->exact ? 0 : sqrt(switches->due);

	return fmax(switches->due - switches->had - chance - switches->given, 0);
}

double prof_switches_limit(const struct prof_switches *switches)
{
	return fmax(switches->left_out + SILENT, LEAST);
}
