/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Bursts: the CPU time that a thread had in runs too short for their shares to be right.
 *
 * Who looks at a thread and then signals it comes too late for shorter runs than 100 us.  CPU
 * timers do not ring in the switch to the thread, which took 17 us of its CPU time on one virtual
 * machine: nothing shows how long that is, and they found 90 % of the CPU time where 61 were.  The
 * kernel's clock cannot interrupt a thread while interrupts are off, as when it goes to sleep.  The
 * samples that are missing for that are known, but not where the thread slept each time: shares of
 * runs of 30 us and more were right within 3 percentage points; see doc/explanation/accuracy.md.
 */
#ifndef PROF_SAMPLING_BURSTS_H
#define PROF_SAMPLING_BURSTS_H

#include <stdint.h>

struct prof_schedstat;

/*
 * ns: shorter runs are bursts; where a clock of the kernel's finds them; and short work.  What
 * looks at threads find of work of 2 ms is nearly right, of 0.5 ms two thirds are found there, of
 * 0.1 ms a sixth.
 */
enum { PROF_BURST = 100000, PROF_BURST_CLOCKED = 30000, PROF_SHORT = 500000 };

/* Percent of the CPU time: a smaller part in bursts makes an error of two points at most. */
enum { PROF_BURSTY = 20 };

/* All zeroes for a thread that was made just now. */
struct prof_bursts {
	int64_t run;      /* schedstat's, as it was counted last */
	uint64_t slices;  /* the same */
	uint64_t counted; /* stops, then */
	uint64_t stops;   /* it was stopped so many times, by us or by the debugger, and went on */
};

/* The runs of a thread in a time. */
struct prof_runs {
	int64_t cpu;    /* ns */
	int64_t bursts; /* ns of that */
	int64_t brief;  /* ns of that in short work, bursts included */
	uint64_t count;
};

/* Leaves out the runs until SCHEDSTAT. */
void prof_bursts_restart(struct prof_bursts *bursts, const struct prof_schedstat *schedstat);

/* The thread was stopped and goes on: that ends no run of its own. */
void prof_bursts_go_on(struct prof_bursts *bursts);

/*
 * Returns the runs from the last count until SCHEDSTAT, whose CPU time is all in bursts, which are
 * shorter than BURST ns, or in short work, if they were that on average.  All zeroes: a run goes on
 * that may end as one, and belongs to the next count.
 */
struct prof_runs prof_bursts_count(
	struct prof_bursts *bursts, const struct prof_schedstat *schedstat, int64_t burst);

#endif
