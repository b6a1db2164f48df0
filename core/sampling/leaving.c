/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/leaving.h"

#include "base/time_unit.h"
#include "sampling/tick.h"
#include "sampling/watch.h"
#include "target/procfs.h"

/* ns: for how long a thread is kept at most, and the CPU time after which it has left. */
static const int64_t LONGEST = PROF_NS_PER_SECOND;
static const int64_t ENOUGH = 20000000;

void prof_leaving_begin(struct prof_leaving *leaving, struct prof_watch *watch, int64_t now)
{
	leaving->thread = watch->thread;
	leaving->since = now;
	prof_leaving_keep(leaving, watch);
}

void prof_leaving_keep(struct prof_leaving *leaving, struct prof_watch *watch)
{
	leaving->run = prof_watch_schedstat(watch).run;
}

bool prof_leaving_waits_for(
	const struct prof_leaving *leaving, struct prof_watch *watch, int64_t now)
{
	struct prof_signals signals;

	if (!watch->sent || watch->thread == leaving->thread || now - leaving->since > LONGEST)
		return false;
	if (!prof_procfs_signals(watch->process, watch->thread, &signals))
		return false;
	if (signals.pending >> (watch->signal - 1) & 1)
		return !(signals.blocked >> (watch->signal - 1) & 1);
	char state = prof_watch_state(watch);
	return state == 't' || state == 'T' || now - watch->sent < PROF_TICK_LOST_AFTER;
}

bool prof_leaving_is_over(const struct prof_leaving *leaving, struct prof_watch *watch)
{
	char state = watch ? prof_watch_state(watch) : 0;

	if (!state || state == 'S')
		return true;
	return prof_watch_schedstat(watch).run - leaving->run > ENOUGH;
}
