/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/ticks.h"

#include "base/clock.h"

/* Spans and sums of what a damaged ring says must not overflow. */
static const int64_t SPAN_MOST = INT64_MAX / 4;

uint64_t prof_ticks_now(const struct prof_ticks *ticks)
{
#ifdef __x86_64__
	if (ticks->counter)
		return __builtin_ia32_rdtsc();
#else
	(void)ticks;
#endif
	return (uint64_t)prof_clock();
}

/* Reads both clocks: the counter's is the one in the middle of reading the other. */
static void read_clocks(struct prof_ticks *ticks)
{
	uint64_t before = prof_ticks_now(ticks);

	ticks->last_time = prof_clock();
	ticks->last = ticks->counter ? before + (prof_ticks_now(ticks) - before) / 2
				     : (uint64_t)ticks->last_time;
}

void prof_ticks_init(struct prof_ticks *ticks, bool counter)
{
	*ticks = (struct prof_ticks){.counter = counter};
	read_clocks(ticks);
	ticks->first = ticks->last;
	ticks->first_time = ticks->last_time;
}

void prof_ticks_adjust(struct prof_ticks *ticks)
{
	read_clocks(ticks);
}

/* How many ns a tick takes. */
static double rate(const struct prof_ticks *ticks)
{
	if (!ticks->counter || ticks->last <= ticks->first || ticks->last_time <= ticks->first_time)
		return 1;
	return (double)(ticks->last_time - ticks->first_time) /
		(double)(ticks->last - ticks->first);
}

int64_t prof_ticks_span(const struct prof_ticks *ticks, uint64_t count)
{
	if (!ticks->counter)
		return count < (uint64_t)SPAN_MOST ? (int64_t)count : SPAN_MOST;
	double ns = (double)count * rate(ticks);
	return ns < (double)SPAN_MOST ? (int64_t)(ns + 0.5) : SPAN_MOST;
}

int64_t prof_ticks_time(const struct prof_ticks *ticks, uint64_t tick)
{
	int64_t time = tick >= ticks->last
		? ticks->last_time + prof_ticks_span(ticks, tick - ticks->last)
		: ticks->last_time - prof_ticks_span(ticks, ticks->last - tick);

	return time > 0 ? time : 0;
}

uint64_t prof_ticks_of(const struct prof_ticks *ticks, int64_t time)
{
	double span = (double)(time - ticks->last_time) / rate(ticks);

	if (span < 0)
		return (double)ticks->last > -span ? ticks->last - (uint64_t)-span : 0;
	return ticks->last + (uint64_t)span;
}
