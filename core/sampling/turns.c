/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/turns.h"

#include "sampling/unseen.h"
#include "sampling/watch.h"
#include "target/procfs.h"

/* Rounds: no stride is larger. */
static const uint64_t LONGEST_NAP = 1 << 20;

static bool rests(const struct prof_watch *watch)
{
	return watch->asleep || watch->held;
}

bool prof_turns_choose(
	struct prof_watch *watch, enum prof_pass pass, uint64_t round, uint64_t stride)
{
	bool turns = rests(watch) && watch->nap >= stride;

	if (watch->round == round)
		return false;
	if (pass == PROF_PASS_SEARCH) {
		struct prof_schedstat schedstat = prof_watch_schedstat(watch);
		return prof_unseen_is_found(watch, &schedstat);
	}
	if (turns != (pass == PROF_PASS_TURNS))
		return false;
	return !rests(watch) ||
		(round + (uint64_t)watch->thread) % (turns ? stride : watch->nap) == 0;
}

void prof_turns_look(struct prof_watch *watch)
{
	if (!rests(watch))
		watch->nap = 1;
	else if (watch->nap < LONGEST_NAP)
		watch->nap *= 4;
}
