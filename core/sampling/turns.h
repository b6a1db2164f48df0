/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Turns: which threads are looked at in a round.
 *
 * The longer a thread has rested, the rarer are looks at it, so that naps between two pieces of
 * work hide little.  The budget's stride is the longest turn, and turns are spread over the rounds.
 */
#ifndef PROF_SAMPLING_TURNS_H
#define PROF_SAMPLING_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct prof_watch;

/* A round goes over the threads once for each of these, and looks at none twice. */
enum prof_pass {
	PROF_PASS_AWAKE,  /* at those that are awake or only nap */
	PROF_PASS_TURNS,  /* at resting ones whose turn it is */
	PROF_PASS_SEARCH, /* at those that have been busy unseen, see sampling/unseen.h */
};

/* Is WATCH to be looked at in this PASS of ROUND? */
bool prof_turns_choose(
	struct prof_watch *watch, enum prof_pass pass, uint64_t round, uint64_t stride);

/* WATCH is looked at: sets how long it may be left alone, if it rests. */
void prof_turns_look(struct prof_watch *watch);

#endif
