/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/quiet.h"

#include "suite.h"

#define MS INT64_C(1000000)

enum { BEFORE = 16 }; /* rounds until it is quiet */

/* Ends a round of a thread that was busy for BUSY of ELAPSED ms, at 100 Hz. */
static int64_t end_round(struct prof_quiet *quiet, int64_t elapsed, int64_t busy)
{
	prof_quiet_look(quiet, elapsed * MS, busy * MS, false);
	return prof_quiet_end_round(quiet, 10 * MS);
}

/* Ends the rounds, of a thread that computes, after which it is quiet. */
static void become_quiet(struct prof_quiet *quiet)
{
	prof_quiet_restart(quiet);
	for (int i = 1; i < BEFORE; i++)
		ck_assert_int_eq(end_round(quiet, 10, 10), 1);
	ck_assert_int_eq(end_round(quiet, 10, 10), 4);
}

START_TEST(it_is_quiet_while_threads_compute)
{
	struct prof_quiet quiet = {0};

	become_quiet(&quiet);
	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(end_round(&quiet, 40, 40), 4);
}
END_TEST

START_TEST(it_is_quiet_while_threads_sleep_on)
{
	struct prof_quiet quiet = {0};

	for (int i = 1; i < BEFORE; i++)
		ck_assert_int_eq(prof_quiet_end_round(&quiet, 10 * MS), 1);
	ck_assert_int_eq(prof_quiet_end_round(&quiet, 10 * MS), 4);
}
END_TEST

START_TEST(a_wait_ends_it)
{
	struct prof_quiet quiet = {0};

	become_quiet(&quiet);
	ck_assert_int_eq(end_round(&quiet, 40, 20), 1);
	become_quiet(&quiet);
}
END_TEST

START_TEST(a_thread_that_waits_for_a_fifth_of_its_time_is_never_quiet)
{
	struct prof_quiet quiet = {0};

	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(end_round(&quiet, 10, i % 5 ? 10 : 0), 1);
}
END_TEST

/* The account of a thread that computes comes at a timer interrupt. */
START_TEST(an_account_that_is_late_is_no_wait)
{
	struct prof_quiet quiet = {0};

	for (int i = 1; i < BEFORE; i++)
		ck_assert_int_eq(end_round(&quiet, 10, i % 2 ? 4 : 16), 1);
	ck_assert_int_eq(end_round(&quiet, 10, 16), 4);
	ck_assert_int_eq(end_round(&quiet, 40, 32), 4);
	ck_assert_int_eq(end_round(&quiet, 40, 48), 4);
}
END_TEST

/* A thread with another's id has any figures. */
START_TEST(no_thread_is_busy_for_longer_than_that_took)
{
	struct prof_quiet quiet = {0};

	become_quiet(&quiet);
	prof_quiet_look(&quiet, 40 * MS, 100000 * MS, false);
	ck_assert_int_eq(end_round(&quiet, 40, 0), 1);
}
END_TEST

/* Looks, each 10 ms, at a thread that is always runnable; returns how many rounds were quiet.  It
 * is accounted BUSY ms at each COUNT-th look, and nothing at the others. */
static int quiet_rounds(int looks, int count, int64_t busy)
{
	struct prof_quiet quiet = {0};
	int64_t undecided = 0;
	int rounds = 0;

	for (int i = 1; i <= looks; i++) {
		undecided = prof_quiet_look(
			&quiet, undecided + 10 * MS, i % count ? 0 : busy * MS, true);
		rounds += prof_quiet_end_round(&quiet, 10 * MS) > 1;
	}
	return rounds;
}

START_TEST(a_wait_for_a_cpu_is_no_idle_time)
{
	ck_assert_int_eq(quiet_rounds(100, 6, 60), 100 - BEFORE + 1);
	/* Nor one that has just begun. */
	ck_assert_int_eq(quiet_rounds(100, 1, 10), 100 - BEFORE + 1);
	ck_assert_int_eq(quiet_rounds(100, 3, 30), 100 - BEFORE + 1);
}
END_TEST

/* It sleeps for two fifths of its time, whenever nobody looks.  No wait for a CPU is that long. */
START_TEST(a_thread_that_is_always_seen_runnable_may_sleep)
{
	int first = quiet_rounds(150, 1, 6);

	ck_assert_int_lt(first, 150);
	ck_assert_int_eq(quiet_rounds(2000, 1, 6), first);
}
END_TEST

START_TEST(longer_periods_are_kept_and_of_short_ones_there_are_more)
{
	struct prof_quiet quiet = {0};

	become_quiet(&quiet);
	ck_assert_int_eq(prof_quiet_end_round(&quiet, 1000 * MS), 1);
	ck_assert_int_eq(prof_quiet_end_round(&quiet, 4 * MS), 10);
}
END_TEST

RUN_TESTS("quiet", it_is_quiet_while_threads_compute, it_is_quiet_while_threads_sleep_on,
	a_wait_ends_it, a_thread_that_waits_for_a_fifth_of_its_time_is_never_quiet,
	an_account_that_is_late_is_no_wait, no_thread_is_busy_for_longer_than_that_took,
	a_wait_for_a_cpu_is_no_idle_time, a_thread_that_is_always_seen_runnable_may_sleep,
	longer_periods_are_kept_and_of_short_ones_there_are_more)
