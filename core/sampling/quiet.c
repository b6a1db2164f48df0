/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/quiet.h"

/* ns between rounds: rings have room for several times as much. */
static const int64_t SPAN = 40000000;

/* Rounds until it is quiet. */
enum { ROUNDS = 16 };

/* The fraction of time that may be idle before that, and in a round after it. */
enum { PART = 10, LATER = 4 };

/*
 * ns: the kernel's account of a running thread is one timer interrupt old at most, and is corrected
 * at the next look.
 */
static const int64_t TICK = 10000000;

/* ns: a thread rarely waits longer for a CPU, even if a hundred threads share one. */
static const int64_t LONGEST_WAIT = 500000000;

void prof_quiet_restart(struct prof_quiet *quiet)
{
	*quiet = (struct prof_quiet){0};
}

int64_t prof_quiet_look(struct prof_quiet *quiet, int64_t elapsed, int64_t busy, bool runnable)
{
	int64_t undecided = runnable && busy < elapsed ? elapsed - busy : 0;

	if (undecided > LONGEST_WAIT)
		undecided = LONGEST_WAIT;
	elapsed -= undecided;
	/* Another thread may have its id now. */
	if (busy > elapsed + TICK)
		busy = elapsed + TICK;
	quiet->looked += elapsed;
	quiet->idle += elapsed - busy;
	return undecided;
}

int64_t prof_quiet_end_round(struct prof_quiet *quiet, int64_t period)
{
	int64_t periods = SPAN / period;
	int64_t part = quiet->rounds < ROUNDS ? PART : LATER;

	quiet->rounds++;
	if (quiet->rounds < ROUNDS)
		return 1;
	if (quiet->idle > quiet->looked / part) {
		prof_quiet_restart(quiet);
		return 1;
	}
	quiet->looked = 0;
	quiet->idle = 0;
	return periods > 1 ? periods : 1;
}
