/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The budget: how much of a CPU looking at threads may take.
 *
 * Sleeping threads cost most, for there may be thousands: where looking takes more than its share,
 * they take turns, each in one of several rounds only.
 */
#ifndef PROF_SAMPLING_BUDGET_H
#define PROF_SAMPLING_BUDGET_H

#include <stdint.h>

struct prof_budget {
	uint64_t stride; /* sleeping threads are looked at in one of so many rounds; at least 1 */
	int64_t turns;   /* ns of CPU time used on their turns since the last adjustment */

	/* Private.  All times in ns. */
	int64_t begin, used; /* of the window over which the share is taken */
};

/* The share of a CPU that is allowed. */
extern const double prof_budget_limit;

/* Begins with a stride of 1; prof_budget_restart() has to follow. */
void prof_budget_init(struct prof_budget *budget);

/* At NOW, of CLOCK_MONOTONIC, the looking thread has USED so much CPU time in its life. */
void prof_budget_restart(struct prof_budget *budget, int64_t now, int64_t used);

/*
 * The same, at the end of a round: sets a new stride, at most LARGEST, at the end of a window.
 * Returns the ns of CPU time that were used since the last call for it, 0 within a window.
 */
int64_t prof_budget_adjust(struct prof_budget *budget, int64_t now, int64_t used, uint64_t largest);

/*
 * ns after which what has taken USED ns of CPU time may be done again, LEAST at least: it takes a
 * fifth of what is allowed.
 */
int64_t prof_budget_rest(int64_t used, int64_t least);

#endif
