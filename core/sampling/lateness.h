/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Lateness: which samples of a thread's own clock were due while the thread went to sleep.
 *
 * The kernel's clock of a thread cannot ring while interrupts are off, as where the thread gives
 * its CPU away.  What is due then rings 10 us of CPU time after the thread goes on, in other code:
 * see perf_swevent_start_hrtimer() in the kernel's kernel/events/core.c.  All samples are a little
 * late, because a switch takes the clock's timer longer than its count; that grows with the period.
 */
#ifndef PROF_SAMPLING_LATENESS_H
#define PROF_SAMPLING_LATENESS_H

#include <stdbool.h>
#include <stdint.h>

/* Of one thread.  All zeroes: nothing is known yet. */
struct prof_lateness {
	double usual;     /* ns, after a mean period */
	unsigned count;   /* of samples that it is known by, up to some */
	unsigned strange; /* samples in a row that were far from it */
};

/*
 * Was a sample due while the thread switched?  It came LATE ns of CPU time after the end of its
 * period, which was PART of the mean one.
 */
bool prof_lateness_judge(struct prof_lateness *lateness, int64_t late, double part);

#endif
