/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/switches.h"

#include <math.h>

double prof_switches_missing(const struct prof_switches *switches)
{
	double missing = switches->due - switches->had - sqrt(switches->due) - switches->given;

	return fmax(missing, 0);
}
