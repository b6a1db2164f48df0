/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/usage.h"

#include "base/time_unit.h"

const struct prof_usage_row prof_usage_table[PROF_USAGES] = {
	[PROF_USAGE_RUNNING] = {"running", "Time running", "sec.", PROF_NS_PER_SECOND, 3,
		PROF_USAGE_GROWS},
	[PROF_USAGE_USER] = {"user", "User CPU", "sec.", PROF_NS_PER_SECOND, 3, PROF_USAGE_GROWS},
	[PROF_USAGE_SYSTEM] = {"system", "System CPU", "sec.", PROF_NS_PER_SECOND, 3,
		PROF_USAGE_GROWS},
	[PROF_USAGE_MINOR] = {"minor_faults", "Minor faults", "", 1, 0, PROF_USAGE_GROWS},
	[PROF_USAGE_MAJOR] = {"major_faults", "Major faults", "", 1, 0, PROF_USAGE_GROWS},
	[PROF_USAGE_VOLUNTARY] = {"voluntary_switches", "Voluntary context switches", "", 1, 0,
		PROF_USAGE_GROWS},
	[PROF_USAGE_INVOLUNTARY] = {"involuntary_switches", "Involuntary context switches", "", 1,
		0, PROF_USAGE_GROWS},
	[PROF_USAGE_BLOCKS_IN] = {"block_input", "Block input", "bytes", 1, 0, PROF_USAGE_GROWS},
	[PROF_USAGE_BLOCKS_OUT] = {"block_output", "Block output", "bytes", 1, 0, PROF_USAGE_GROWS},
	[PROF_USAGE_READ] = {"char_input", "Characters read", "bytes", 1, 0, PROF_USAGE_GROWS},
	[PROF_USAGE_WRITTEN] = {"char_output", "Characters written", "bytes", 1, 0,
		PROF_USAGE_GROWS},
	[PROF_USAGE_RESIDENT] = {"resident", "Resident memory", "bytes", 1, 0, PROF_USAGE_LEVEL},
	[PROF_USAGE_PEAK] = {"peak", "Peak memory", "bytes", 1, 0, PROF_USAGE_MOST},
	[PROF_USAGE_THREADS] = {"threads", "Threads", "", 1, 0, PROF_USAGE_LEVEL},
};

void prof_usage_clear(struct prof_usage *usage)
{
	for (int i = 0; i < PROF_USAGES; i++)
		usage->figures[i] = PROF_USAGE_UNKNOWN;
}
