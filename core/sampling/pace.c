/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/pace.h"

#include "base/time_unit.h"

#include <math.h>
#include <sys/random.h>

static const int64_t WINDOW = 500000000;

/*
 * ns: in less of its time the share of a program is chance, and its first stops are long, because
 * the call frame information of the code on its stacks is still to be read.
 */
static const double ENOUGH = 250000000;

/* ns: but a program that runs little is to get its rate back. */
static const int64_t LONG = 4 * PROF_NS_PER_SECOND;

/* Of the limit: the share that a higher rate aims at. */
static const double AIM = 0.75;

/* The rate changes by this factor at a time, at the most. */
static const double STEP = 4;

/* With a fixed seed, the first tick of all recordings would come at the same time. */
static uint32_t any_number(void)
{
	uint32_t number;

	return getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number && number ? number
											   : 1;
}

void prof_pace_init(struct prof_pace *pace, double rate, double limit)
{
	*pace = (struct prof_pace){
		.rate = rate, .highest = rate, .limit = limit, .random = any_number()};
}

void prof_pace_restart(struct prof_pace *pace, int64_t now)
{
	pace->begin = now;
	pace->judged = now;
}

double prof_pace_random(struct prof_pace *pace)
{
	/* The next of 2^32 equally likely numbers: xorshift. */
	pace->random ^= pace->random << 13;
	pace->random ^= pace->random >> 17;
	pace->random ^= pace->random << 5;
	return (double)pace->random / UINT32_MAX;
}

int64_t prof_pace_period(struct prof_pace *pace)
{
	return (int64_t)((double)PROF_NS_PER_SECOND / pace->rate * (0.5 + prof_pace_random(pace)));
}

int64_t prof_pace_first(struct prof_pace *pace)
{
	return (int64_t)((double)PROF_NS_PER_SECOND / pace->rate * prof_pace_random(pace));
}

int64_t prof_pace_next(struct prof_pace *pace, double *place, double spread)
{
	double last = *place;

	*place = prof_pace_random(pace);
	return (int64_t)((double)PROF_NS_PER_SECOND / pace->rate * (1 + spread * (*place - last)));
}

void prof_pace_count(struct prof_pace *pace, int64_t stopped, int64_t running)
{
	pace->stopped += stopped;
	pace->running += running;
}

bool prof_pace_adjust(struct prof_pace *pace, int64_t now)
{
	if (now - pace->begin < WINDOW)
		return false;
	pace->begin = now;
	double stopped = (double)pace->stopped;
	double all = stopped + (double)pace->running;
	double share = all > 0 ? stopped / all : 0;
	/* As if the rest of ENOUGH were without stops. */
	bool above = stopped > pace->limit * fmax(all, ENOUGH);
	bool below = share < pace->limit * AIM && (all >= ENOUGH || now - pace->judged >= LONG);
	if (all < ENOUGH && !above && !below)
		return true;
	if (above)
		pace->rate = fmax(pace->rate * fmax(pace->limit / share, 1 / STEP), 1);
	else if (below)
		pace->rate *= share * STEP > pace->limit * AIM ? pace->limit * AIM / share : STEP;
	pace->rate = fmin(pace->rate, pace->highest);
	pace->judged = now;
	pace->stopped = 0;
	pace->running = 0;
	return true;
}
