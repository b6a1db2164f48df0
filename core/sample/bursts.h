/*
 * Bursts: how much of a thread's CPU time it had in runs that are shorter than what the kernel's
 * clock can place.  The clock misses what comes with interrupts off, as a thread goes to sleep, and
 * does not ring in the first 10 us after it goes on: what falls due there is found in what comes
 * next.  Runs of 100 us and more were found to be within 4 percentage points, shorter ones not; see
 * doc/engine.md.
 */
#ifndef PROF_SAMPLE_BURSTS_H
#define PROF_SAMPLE_BURSTS_H

#include "sample/procfs.h"

/* ns: shorter runs are bursts. */
enum { PROF_BURST = 100000 };

/* All zeroes for a thread that was made just now. */
struct prof_bursts {
	int64_t run;     /* schedstat's, as it was counted last */
	uint64_t slices; /* the same */
};

/* What came until SCHEDSTAT is not counted. */
void prof_bursts_restart(struct prof_bursts *bursts, const struct prof_schedstat *schedstat);

/* Returns the ns of CPU time until SCHEDSTAT, since this was asked last, that were in runs which
 * were bursts on average. */
int64_t prof_bursts_count(struct prof_bursts *bursts, const struct prof_schedstat *schedstat);

#endif
