/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/unseen.h"

#include "base/clock.h"
#include "sampling/budget.h"
#include "sampling/watch.h"
#include "target/procfs.h"

#include <time.h>

/* ns: many timer interrupts, which come every 1 to 10 ms. */
static const int64_t WINDOW = 50000000;

/* Of a window: how much is worth a search, and how much is a lot for one thread. */
static const int64_t MUCH = WINDOW / 4;
static const int64_t MUCH_FOR_ONE = WINDOW / 10;

static int64_t process_clock(pid_t process)
{
	clockid_t clock;
	struct timespec used = {0};

	if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &used))
		return 0;
	return prof_clock_ns(used);
}

void prof_unseen_restart(struct prof_unseen *unseen, int64_t now)
{
	unseen->begin = now;
	unseen->clock = process_clock(unseen->process);
	unseen->seen = 0;
}

void prof_unseen_look(struct prof_unseen *unseen, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	unseen->seen += schedstat->run - watch->seen.run;
	watch->seen = *schedstat;
}

bool prof_unseen_is_due(struct prof_unseen *unseen, int64_t now)
{
	int64_t clock = unseen->clock;
	int64_t seen = unseen->seen;

	if (now - unseen->begin < WINDOW)
		return false;
	prof_unseen_restart(unseen, now);
	return unseen->clock - clock - seen > MUCH && now >= unseen->next;
}

bool prof_unseen_is_found(const struct prof_watch *watch, const struct prof_schedstat *schedstat)
{
	return schedstat->run - watch->seen.run > MUCH_FOR_ONE;
}

void prof_unseen_searched(struct prof_unseen *unseen, int64_t now, int64_t used)
{
	/* Searches may take half of what looks may. */
	unseen->next = now + (int64_t)((double)used / (prof_budget_limit / 2));
}
