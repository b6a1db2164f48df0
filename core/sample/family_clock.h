/*
 * The clock of the event that samples a thread, held against the kernel's account.
 *
 * The event's clock goes on where the host of a virtual machine takes the CPU away, or interrupts
 * do, and misses some microseconds of each wait.  What the kernel has accounted is read now and
 * then: a sample that is too many by that stands for nothing, and one for two where they are too
 * few.
 */
#ifndef PROF_SAMPLE_FAMILY_CLOCK_H
#define PROF_SAMPLE_FAMILY_CLOCK_H

#include "sample/off_cpu.h"

/* All zeroes at first.  In ns. */
struct prof_family_clock {
	int64_t told; /* by the event's clock, until the last sample */
	/* Of that, more than the kernel had accounted when the thread was looked at; but for BASE,
	 * the same at first, and what was left out and added since. */
	int64_t ahead, base;
	int64_t compared; /* when that look was; 0: there was none */
};

/*
 * There is a sample at TIME, ns of CLOCK_MONOTONIC, PERIOD ns after the one before, of a thread
 * that was looked at as OFF_CPU says.  Returns the CPU time that it stands for.
 */
int64_t prof_family_clock_sample(struct prof_family_clock *clock,
	const struct prof_off_cpu *off_cpu, int64_t time, int64_t period);

#endif
