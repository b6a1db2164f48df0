/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/turns.h"

#include "sample_child.h"

enum { STRIDE = 20 };

/* A watch on this process, to be looked at by turns. */
static struct prof_watch begin(void)
{
	struct prof_watch watch;

	prof_watch_init(&watch, getpid(), getpid(), 0);
	return watch;
}

/* How often WATCH is chosen in PASS of 8 strides of rounds that do not change it. */
static int times(struct prof_watch *watch, enum prof_pass pass)
{
	int sum = 0;

	for (uint64_t round = 1; round <= 8 * STRIDE; round++)
		sum += prof_turns_choose(watch, pass, round, STRIDE);
	return sum;
}

START_TEST(one_that_is_awake_is_looked_at_in_each_round)
{
	struct prof_watch watch = begin();

	prof_turns_look(&watch);
	ck_assert_int_eq(times(&watch, PROF_PASS_AWAKE), 8 * STRIDE);
	ck_assert_int_eq(times(&watch, PROF_PASS_TURNS), 0);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(one_that_rests_is_left_alone_more_and_more)
{
	struct prof_watch watch = begin();

	prof_turns_look(&watch);
	watch.asleep = true;
	ck_assert_int_eq(times(&watch, PROF_PASS_AWAKE), 8 * STRIDE);
	prof_turns_look(&watch);
	ck_assert_int_eq(times(&watch, PROF_PASS_AWAKE), 8 * STRIDE / 4);
	prof_turns_look(&watch);
	ck_assert_int_eq(times(&watch, PROF_PASS_AWAKE), 8 * STRIDE / 16);
	prof_turns_look(&watch);
	ck_assert_int_eq(times(&watch, PROF_PASS_AWAKE), 0);
	ck_assert_int_eq(times(&watch, PROF_PASS_TURNS), 8);
	/* And it does not go on for ever. */
	for (int i = 0; i < 100; i++)
		prof_turns_look(&watch);
	ck_assert_int_eq(times(&watch, PROF_PASS_TURNS), 8);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(one_that_was_awake_is_looked_at_soon_again)
{
	struct prof_watch watch = begin();

	watch.held = true;
	watch.nap = 1000;
	ck_assert_int_eq(times(&watch, PROF_PASS_TURNS), 8);
	watch.held = false;
	prof_turns_look(&watch);
	watch.held = true;
	ck_assert_int_eq(times(&watch, PROF_PASS_AWAKE), 8 * STRIDE);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(turns_of_neighbours_differ)
{
	struct prof_watch watch = begin(), other = begin();

	watch.asleep = other.asleep = true;
	watch.nap = other.nap = 1000;
	other.thread++;
	for (uint64_t round = 1; round <= STRIDE; round++)
		ck_assert(!prof_turns_choose(&watch, PROF_PASS_TURNS, round, STRIDE) ||
			!prof_turns_choose(&other, PROF_PASS_TURNS, round, STRIDE));
	prof_watch_deinit(&watch);
	prof_watch_deinit(&other);
}
END_TEST

START_TEST(nobody_is_looked_at_twice)
{
	struct prof_watch watch = begin();

	watch.round = 7;
	watch.seen.run = -INT64_C(1000000000);
	ck_assert(!prof_turns_choose(&watch, PROF_PASS_AWAKE, 7, 1));
	ck_assert(!prof_turns_choose(&watch, PROF_PASS_SEARCH, 7, 1));
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(search_is_for_those_that_were_busy)
{
	struct prof_watch watch = begin();

	watch.asleep = true;
	watch.nap = 1000;
	ck_assert(!prof_turns_choose(&watch, PROF_PASS_SEARCH, 7, STRIDE));
	watch.seen.run -= 1000000000;
	ck_assert(prof_turns_choose(&watch, PROF_PASS_SEARCH, 7, STRIDE));
	prof_watch_deinit(&watch);
}
END_TEST

RUN_TESTS("turns", one_that_is_awake_is_looked_at_in_each_round,
	one_that_rests_is_left_alone_more_and_more, one_that_was_awake_is_looked_at_soon_again,
	turns_of_neighbours_differ, nobody_is_looked_at_twice, search_is_for_those_that_were_busy)
