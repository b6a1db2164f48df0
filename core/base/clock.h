/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The clock that all times of a recording are of.  Where a header says no more of a TIME or NOW, it
 * is in ns of this clock.
 */
#ifndef PROF_BASE_CLOCK_H
#define PROF_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* ns of CLOCK_MONOTONIC. */
static inline int64_t prof_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* ns of CPU time that the calling thread has used. */
static inline int64_t prof_clock_used(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

#endif
