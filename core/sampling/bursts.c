/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/bursts.h"

void prof_bursts_restart(struct prof_bursts *bursts, const struct prof_schedstat *schedstat)
{
	*bursts = (struct prof_bursts){schedstat->run, schedstat->slices};
}

int64_t prof_bursts_count(struct prof_bursts *bursts, const struct prof_schedstat *schedstat)
{
	int64_t run = schedstat->run - bursts->run;
	uint64_t slices = schedstat->slices - bursts->slices;

	/* It may be another thread that has the id now. */
	if (run < 0 || schedstat->slices < bursts->slices) {
		prof_bursts_restart(bursts, schedstat);
		return 0;
	}
	/* On one run for longer, its CPU time may be all that has changed. */
	if (!run || (!slices && run < PROF_BURST))
		return 0;
	prof_bursts_restart(bursts, schedstat);
	return slices && (uint64_t)run / slices < PROF_BURST ? run : 0;
}
