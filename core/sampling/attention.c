/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/attention.h"

#include "sampling/tick.h"
#include "sampling/watch.h"

/*
 * ns: on a machine with three times as many busy threads as CPUs, the host may wait this long for a
 * CPU.
 */
static const int64_t MOMENT = 100000000;

void prof_attention_begin(struct prof_attention *attention, int64_t now)
{
	attention->now = !attention->listens || attention->listens();
	if (attention->now)
		attention->heard = now;
	attention->away = now - attention->heard > MOMENT;
}

bool prof_attention_lacks(const struct prof_attention *attention, struct prof_watch *watch,
	struct prof_figures *figures)
{
	if (!attention->away)
		return !attention->now;
	prof_tick_lose(watch, figures);
	/* Ticks that were due until now are lost for good. */
	if (watch->due > 0)
		watch->due = 0;
	watch->unheard = true;
	return true;
}
