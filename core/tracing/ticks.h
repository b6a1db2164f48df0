/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Times of the ring's events, ticks, as times of CLOCK_MONOTONIC. */
#ifndef PROF_TRACING_TICKS_H
#define PROF_TRACING_TICKS_H

#include <stdbool.h>
#include <stdint.h>

struct prof_ticks {
	bool counter;         /* of the time stamp counter; else ticks are ns */
	uint64_t first, last; /* when both clocks were read */
	int64_t first_time, last_time;
};

/* Reads both clocks; COUNTER: ticks are of the CPU's time stamp counter. */
void prof_ticks_init(struct prof_ticks *ticks, bool counter);

/* Reads them again: the longer it was, the better is known how fast the counter is. */
void prof_ticks_adjust(struct prof_ticks *ticks);

uint64_t prof_ticks_now(const struct prof_ticks *ticks);

/* The time, in ns of CLOCK_MONOTONIC, of TICK, and the other way round. */
int64_t prof_ticks_time(const struct prof_ticks *ticks, uint64_t tick);
uint64_t prof_ticks_of(const struct prof_ticks *ticks, int64_t time);

/* COUNT ticks in ns. */
int64_t prof_ticks_span(const struct prof_ticks *ticks, uint64_t count);

#endif
