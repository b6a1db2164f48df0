/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Bursts: the CPU time that a thread had in runs too short for the kernel's clock.
 *
 * The clock cannot interrupt a thread while interrupts are off, as when it goes to sleep, nor in
 * the first 10 us after it gets a CPU.  A sample that is due then is taken later, in other code.
 * Shares of runs of 100 us and more were right within 4 percentage points; see
 * doc/explanation/accuracy.md.
 */
#ifndef PROF_SAMPLING_BURSTS_H
#define PROF_SAMPLING_BURSTS_H

#include <stdint.h>

struct prof_schedstat;

/* ns: shorter runs are bursts. */
enum { PROF_BURST = 100000 };

/* All zeroes for a thread that was made just now. */
struct prof_bursts {
	int64_t run;     /* schedstat's, as it was counted last */
	uint64_t slices; /* the same */
};

/* Leaves out the CPU time until SCHEDSTAT. */
void prof_bursts_restart(struct prof_bursts *bursts, const struct prof_schedstat *schedstat);

/* Returns the ns of CPU time from the last call until SCHEDSTAT, if the runs in that time were
 * bursts on average; otherwise 0. */
int64_t prof_bursts_count(struct prof_bursts *bursts, const struct prof_schedstat *schedstat);

#endif
