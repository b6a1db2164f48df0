/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_clock.h"

#include "base/clock.h"

#include <math.h>

/* ns: less CPU time than the first shows nothing, and figures older than the second little. */
static const double LEAST = 1e7, RECENT = PROF_NS_PER_SECOND;

int64_t prof_perf_clock_at(
	const struct prof_perf_clock *clock, const struct prof_perf_drift *drift, int64_t count)
{
	double ratio = drift->count > LEAST ? drift->run / drift->count : 1;

	return clock->run + (int64_t)((double)(count - clock->count) * ratio);
}

bool prof_perf_drift_of_slice(const struct prof_perf_drift *drift, double *ret)
{
	if (drift->count <= LEAST || drift->slices < 1)
		return false;
	*ret = fmax(drift->run - drift->count, 0) / drift->slices;
	return true;
}

void prof_perf_clock_set(struct prof_perf_clock *clock, struct prof_perf_drift *drift,
	const struct prof_schedstat *schedstat, int64_t count)
{
	/*
	 * While a thread runs, its schedstat is as old as the last timer interrupt: too old to
	 * compare.
	 */
	if (clock->sure) {
		drift->run += (double)(schedstat->run - clock->run);
		drift->count += (double)(count - clock->count);
		drift->slices += (double)schedstat->slices - (double)clock->slices;
	}
	if (drift->count > RECENT) {
		drift->run /= 2;
		drift->count /= 2;
		drift->slices /= 2;
	}
	*clock = (struct prof_perf_clock){schedstat->run, count, schedstat->slices, true};
}

void prof_perf_clock_bound(struct prof_perf_clock *clock, const struct prof_perf_drift *drift,
	int64_t run, int64_t count)
{
	int64_t now = prof_perf_clock_at(clock, drift, count);
	int64_t most = run + prof_clock_tick();

	if (now < run)
		clock->run += run - now;
	else if (now > most)
		clock->run -= now - most;
}
