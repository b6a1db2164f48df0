/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/switches.h"

#include <math.h>

double prof_switches_missing(const struct prof_switches *switches)
{
	double chance = switches->exact ? 0 : sqrt(switches->due);

	return fmax(switches->due - switches->had - chance - switches->given, 0);
}
