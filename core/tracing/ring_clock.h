/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The ring's clock, which the agent reads: the CPU's time stamp counter, or CLOCK_MONOTONIC.  What
 * it shows is a time stamp, in clock units: cycles of the counter, or ns.
 */
#ifndef PROF_TRACING_RING_CLOCK_H
#define PROF_TRACING_RING_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct prof_ring_clock {
	bool counter;                  /* the time stamp counter; else a clock unit is a ns */
	uint64_t first, last;          /* time stamps: when both clocks were read */
	int64_t first_time, last_time; /* ns of CLOCK_MONOTONIC, at the same times */
};

/* Reads both clocks; COUNTER: the ring's is the CPU's time stamp counter. */
void prof_ring_clock_init(struct prof_ring_clock *clock, bool counter);

/*
 * Reads them again: the longer the time since the last reading, the more exact is the counter's
 * rate.
 */
void prof_ring_clock_adjust(struct prof_ring_clock *clock);

/* The time stamp of now. */
uint64_t prof_ring_clock_now(const struct prof_ring_clock *clock);

/* The time, in ns of CLOCK_MONOTONIC, of STAMP, at least 0; and the other way round. */
int64_t prof_ring_clock_to_ns(const struct prof_ring_clock *clock, uint64_t stamp);
uint64_t prof_ring_clock_from_ns(const struct prof_ring_clock *clock, int64_t time);

/* COUNT clock units in ns, at most INT64_MAX / 4, so that sums of a few do not overflow. */
int64_t prof_ring_clock_span(const struct prof_ring_clock *clock, uint64_t count);

#endif
