/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/ring_clock.h"

#include "base/clock.h"

/* Times in a damaged ring must not overflow differences and sums. */
static const int64_t SPAN_MOST = INT64_MAX / 4;

uint64_t prof_ring_clock_now(const struct prof_ring_clock *clock)
{
#ifdef __x86_64__
	if (clock->counter)
		return __builtin_ia32_rdtsc();
#else
	(void)clock;
#endif
	return (uint64_t)prof_clock();
}

/* Reads both clocks: the counter before and after the other one, to take the middle. */
static void read_clocks(struct prof_ring_clock *clock)
{
	uint64_t before = prof_ring_clock_now(clock);

	clock->last_time = prof_clock();
	clock->last = clock->counter ? before + (prof_ring_clock_now(clock) - before) / 2
				     : (uint64_t)clock->last_time;
}

void prof_ring_clock_init(struct prof_ring_clock *clock, bool counter)
{
	*clock = (struct prof_ring_clock){.counter = counter};
	read_clocks(clock);
	clock->first = clock->last;
	clock->first_time = clock->last_time;
}

void prof_ring_clock_adjust(struct prof_ring_clock *clock)
{
	read_clocks(clock);
}

/* The length of a clock unit in ns. */
static double rate(const struct prof_ring_clock *clock)
{
	if (!clock->counter || clock->last <= clock->first || clock->last_time <= clock->first_time)
		return 1;
	return (double)(clock->last_time - clock->first_time) /
		(double)(clock->last - clock->first);
}

int64_t prof_ring_clock_span(const struct prof_ring_clock *clock, uint64_t count)
{
	if (!clock->counter)
		return count < (uint64_t)SPAN_MOST ? (int64_t)count : SPAN_MOST;
	double ns = (double)count * rate(clock);
	return ns < (double)SPAN_MOST ? (int64_t)(ns + 0.5) : SPAN_MOST;
}

int64_t prof_ring_clock_to_ns(const struct prof_ring_clock *clock, uint64_t stamp)
{
	int64_t time = stamp >= clock->last
		? clock->last_time + prof_ring_clock_span(clock, stamp - clock->last)
		: clock->last_time - prof_ring_clock_span(clock, clock->last - stamp);

	return time > 0 ? time : 0;
}

uint64_t prof_ring_clock_from_ns(const struct prof_ring_clock *clock, int64_t time)
{
	double span = (double)(time - clock->last_time) / rate(clock);

	if (span < 0)
		return (double)clock->last > -span ? clock->last - (uint64_t)-span : 0;
	return clock->last + (uint64_t)span;
}
