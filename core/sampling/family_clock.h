/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The clock of the event that samples a thread, compared with the kernel's account.
 *
 * The event's clock runs on while interrupts, or the host of a virtual machine, use the CPU, and
 * misses some microseconds of each wait.  Looks at the thread read the kernel's account now and
 * then.  Where samples are ahead of it one is dropped; where they are behind, one counts twice.
 */
#ifndef PROF_SAMPLING_FAMILY_CLOCK_H
#define PROF_SAMPLING_FAMILY_CLOCK_H

#include <stdint.h>

struct prof_off_cpu;

/* All zeroes at first.  In ns. */
struct prof_family_clock {
	int64_t reported; /* by the event's clock, until the last sample */
	int64_t ahead;    /* TOLD less the kernel's account at the last look, and less BASE */
	int64_t base;     /* that difference at the first look, and all corrections since */
	int64_t compared; /* CLOCK_MONOTONIC of the last look; 0: there was none */
};

/*
 * Adds a sample at TIME, ns of CLOCK_MONOTONIC, PERIOD ns of the event's clock after the one
 * before.  OFF_CPU holds the last look at its thread.  Returns the ns of CPU time that it stands
 * for: 0, PERIOD or twice PERIOD.
 */
int64_t prof_family_clock_sample(struct prof_family_clock *clock,
	const struct prof_off_cpu *off_cpu, int64_t time, int64_t period);

/*
 * The ns of CPU time since the last sample of a thread that ended at END, ns of CLOCK_MONOTONIC,
 * and whose events have COUNTED so much in all.  It is no more than the thread can have had by the
 * last look: where threads of a process and its children took turns on a CPU, events have been seen
 * to count 0.3 s too much.
 */
int64_t prof_family_clock_rest(const struct prof_family_clock *clock,
	const struct prof_off_cpu *off_cpu, int64_t counted, int64_t end);

#endif
