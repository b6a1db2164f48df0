/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Switches: samples that are missing because the kernel takes none of a CPU while it switches
 * threads.  A thread's own clock stands still for a part of that, and rings later for the other.
 *
 * Where CPUs are sampled, chance takes samples from a thread and gives it others, so a thread that
 * lacks some at the moment proves nothing.  What all threads lack in the long run, beyond what
 * chance explains, is missing.
 *
 * On a busy machine samples are missing or late for other reasons, too, so there is a limit to what
 * a switch explains.  How much that is depends on the machine, and on what the CPU did before: the
 * clocks of threads left out 4 us of each switch on one virtual machine, and 13 us on another,
 * where the CPU had been idle; and 0.2 us where it had been busy.
 */
#ifndef PROF_SAMPLING_SWITCHES_H
#define PROF_SAMPLING_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

/* All zeroes at the beginning.  Numbers of samples. */
struct prof_switches {
	double due;      /* the CPU time of all threads asks for so many */
	double had;      /* so many the kernel has taken, or had no room for */
	double given;    /* so many were given to places where threads switch */
	bool exact;      /* threads have their own clocks, so that none is missing by chance */
	bool measured;   /* how much of each switch those leave out is known: */
	double left_out; /* ns, on average */
};

/* How many may still be given, at least 0: the rest may be chance, as a standard deviation. */
double prof_switches_missing(const struct prof_switches *switches);

/* The ns of CPU time for which samples are missing or late because of one switch, at most. */
double prof_switches_limit(const struct prof_switches *switches);

/*
 * Of a thread that lacks so many SAMPLES because of switches, at the most: how many it lacks after
 * COUNT more, at RATE samples a second.
 */
double prof_switches_more(
	const struct prof_switches *switches, double samples, double count, double rate);

#endif
