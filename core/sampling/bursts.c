/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/bursts.h"

#include "target/procfs.h"

void prof_bursts_restart(struct prof_bursts *bursts, const struct prof_schedstat *schedstat)
{
	bursts->run = schedstat->run;
	bursts->slices = schedstat->slices;
	bursts->counted = bursts->stops;
}

void prof_bursts_go_on(struct prof_bursts *bursts)
{
	bursts->stops++;
}

struct prof_runs prof_bursts_count(
	struct prof_bursts *bursts, const struct prof_schedstat *schedstat, int64_t burst)
{
	const struct prof_runs none = {0};
	int64_t run = schedstat->run - bursts->run;
	uint64_t slices = schedstat->slices - bursts->slices;

	/* Another thread may have the id now. */
	if (run < 0 || schedstat->slices < bursts->slices) {
		prof_bursts_restart(bursts, schedstat);
		return none;
	}
	uint64_t stops = bursts->stops - bursts->counted;
	slices = slices > stops ? slices - stops : 0;
	/* If one run lasts longer than that, only its CPU time may have changed. */
	if (!run || (!slices && run < PROF_SHORT))
		return none;
	prof_bursts_restart(bursts, schedstat);
	int64_t average = slices ? run / (int64_t)slices : INT64_MAX;
	return (struct prof_runs){
		.cpu = run,
		.bursts = average < burst ? run : 0,
		.brief = average < PROF_SHORT ? run : 0,
		.count = slices,
	};
}
