/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/bursts.h"

#include "target/procfs.h"

void prof_bursts_restart(struct prof_bursts *bursts, const struct prof_schedstat *schedstat)
{
	*bursts = (struct prof_bursts){schedstat->run, schedstat->slices};
}

int64_t prof_bursts_count(struct prof_bursts *bursts, const struct prof_schedstat *schedstat)
{
	int64_t run = schedstat->run - bursts->run;
	uint64_t slices = schedstat->slices - bursts->slices;

	/* Another thread may have the id now. */
	if (run < 0 || schedstat->slices < bursts->slices) {
		prof_bursts_restart(bursts, schedstat);
		return 0;
	}
	/* If one run lasts longer than that, only its CPU time may have changed. */
	if (!run || (!slices && run < PROF_BURST))
		return 0;
	prof_bursts_restart(bursts, schedstat);
	return slices && (uint64_t)run / slices < PROF_BURST ? run : 0;
}
