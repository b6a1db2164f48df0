/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The clock that all times of a recording are of.  Where a header says no more of a TIME or NOW, it
 * is in ns of this clock.
 */
#ifndef PROF_BASE_CLOCK_H
#define PROF_BASE_CLOCK_H

#include "base/time_unit.h"

#include <stdint.h>
#include <time.h>

/* TIME in ns. */
static inline int64_t prof_clock_ns(struct timespec time)
{
	return time.tv_sec * PROF_NS_PER_SECOND + time.tv_nsec;
}

/* NS ns, at least 0, as the C library has them. */
static inline struct timespec prof_clock_timespec(int64_t ns)
{
	return (struct timespec){ns / PROF_NS_PER_SECOND, ns % PROF_NS_PER_SECOND};
}

/* ns of CLOCK_MONOTONIC. */
static inline int64_t prof_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return prof_clock_ns(now);
}

/* ns between two timer interrupts of the kernel. */
static inline int64_t prof_clock_tick(void)
{
	struct timespec period;

	return clock_getres(CLOCK_MONOTONIC_COARSE, &period) ? 10000000 : prof_clock_ns(period);
}

/* ns of CPU time that the calling thread has used. */
static inline int64_t prof_clock_used(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return prof_clock_ns(used);
}

#endif
