/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Does a thread's CPU timer ring in step with its work?
 *
 * The kernel looks at such timers only at its evenly spaced timer interrupts.  Where these meet a
 * thread at random, they find it running as often as it has its CPU, so that a timer that has
 * expired rings on average after nearly as much CPU time as lies between two interrupts.  Work that
 * a clock begins is met again and again at the same place: then the timer rings at the first
 * interrupt or two, that is, after much less CPU time, or never.
 *
 * Nothing can be learnt this way of a thread that has its CPU most of the time.
 */
#ifndef PROF_SAMPLING_IN_STEP_H
#define PROF_SAMPLING_IN_STEP_H

#include <stdbool.h>
#include <stdint.h>

/* Rings after which it is judged: by chance, fewer would often be as early. */
enum { PROF_IN_STEP_RINGS = 32 };

/* All zeroes: none yet. */
struct prof_in_step {
	int rings;
	int64_t late;      /* ns of CPU time by which they were late, added up */
	int64_t cpu, wall; /* ns from setting the timers to their rings, added up */
};

/*
 * Adds a timer that has rung LATE by so many ns of CPU time, of CPU ns, in WALL ns; between two
 * timer interrupts are TICK ns.  True: it and those before ring in step.
 */
bool prof_in_step_add(
	struct prof_in_step *in_step, int64_t late, int64_t cpu, int64_t wall, int64_t tick);

#endif
