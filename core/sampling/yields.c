/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/yields.h"

#include "base/clock.h"

/* ns: a file of /proc that takes some 10 us is not read more often. */
static const int64_t OFTEN = PROF_NS_PER_SECOND / 4;

/* Fewer switches show little. */
static const int64_t ENOUGH = 20;

void prof_yields_set(
	struct prof_yields *yields, const struct prof_usage_switches *switches, int64_t now)
{
	int64_t waits = switches->voluntary - yields->until.voluntary;
	int64_t all = waits + switches->involuntary - yields->until.involuntary;
	bool first = !yields->read;

	yields->read = now;
	if (!first && all < ENOUGH)
		return;
	yields->until = *switches;
	yields->known = !first;
	yields->part = first ? 1 : (double)waits / (double)all;
}

void prof_yields_look(struct prof_yields *yields, pid_t process, pid_t thread, int64_t now)
{
	struct prof_usage_switches switches;

	if (yields->read && now - yields->read < OFTEN)
		return;
	if (!prof_usage_switches(process, thread, &switches) || switches.voluntary < 0 ||
		switches.involuntary < 0)
		return;
	prof_yields_set(yields, &switches, now);
}

double prof_yields_part(const struct prof_yields *yields)
{
	return yields->known ? yields->part : 1;
}
