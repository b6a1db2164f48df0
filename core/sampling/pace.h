/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The pace of sampling: when the next tick is due, at a rate that is lowered when the program is
 * kept stopped for too large a share of its time.
 */
#ifndef PROF_SAMPLING_PACE_H
#define PROF_SAMPLING_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct prof_pace {
	double rate;    /* Hz: what is tried now */
	double highest; /* Hz: what was asked for */
	double limit;   /* the share, 0 to 1, of its time that the program may be kept stopped */

	/* Private.  All times in ns. */
	uint32_t random;
	int64_t begin;                    /* of the window at whose end the share is looked at */
	int64_t judged, stopped, running; /* what it is taken of: since the rate was judged */
};

/* RATE in Hz, and LIMIT, as the fields of these names; prof_pace_restart() has to follow. */
void prof_pace_init(struct prof_pace *pace, double rate, double limit);

/* Begins at NOW to watch the share. */
void prof_pace_restart(struct prof_pace *pace, int64_t now);

/*
 * The ns from one tick to the next.  Spread evenly over a whole period: a program that repeats
 * itself once, twice or any number of times in it is met at all places alike, and not at the same
 * again.
 */
int64_t prof_pace_period(struct prof_pace *pace);

/*
 * The ns to the first tick: anywhere in a period, as what is sampled may not last for one.  A
 * program that repeats itself once, twice or any number of times in a period is met at all places
 * alike by ticks that come so in each.
 */
int64_t prof_pace_first(struct prof_pace *pace);

/*
 * Returns the ns to the next tick.  *PLACE, 0 to 1, is the place of the last tick in its period;
 * the next tick gets a random place in the period after, which replaces *PLACE.  SPREAD, 0 to 1,
 * scales how far the result differs from a period.  The sum of N results stays within a period of N
 * periods.
 */
int64_t prof_pace_next(struct prof_pace *pace, double *place, double spread);

/* A number from 0 to 1, to fall anywhere in a period. */
double prof_pace_random(struct prof_pace *pace);

/* The program was kept stopped for STOPPED ns, and ran for RUNNING. */
void prof_pace_count(struct prof_pace *pace, int64_t stopped, int64_t running);

/*
 * At the end of a window, twice a second: true.  The rate is a new one if the program has had
 * enough time since the last one to judge by, or was kept stopped for too long in any case.
 */
bool prof_pace_adjust(struct prof_pace *pace, int64_t now);

#endif
