/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/pace.h"

#include "base/memory.h"
#include "suite.h"

#include <stdlib.h>

enum { MS = 1000000 };

START_TEST(periods_spread_over_a_whole_one)
{
	struct prof_pace pace;
	int64_t sum = 0, shortest = INT64_MAX, longest = 0;

	prof_pace_init(&pace, 100, 0.1);
	for (int i = 0; i < 10000; i++) {
		int64_t period = prof_pace_period(&pace);
		sum += period;
		shortest = period < shortest ? period : shortest;
		longest = period > longest ? period : longest;
	}
	ck_assert_int_ge(shortest, 5 * MS);
	ck_assert_int_lt(shortest, 5.1 * MS);
	ck_assert_int_le(longest, 15 * MS);
	ck_assert_int_gt(longest, 14.9 * MS);
	ck_assert_int_gt(sum / 10000, 9.8 * MS);
	ck_assert_int_lt(sum / 10000, 10.2 * MS);
}
END_TEST

/* 0.063 ms after it began, the first tick of each recording met what the program begins with. */
START_TEST(first_ticks_spread_over_a_period)
{
	struct prof_pace pace;
	int early = 0;

	for (int i = 0; i < 1000; i++) {
		prof_pace_init(&pace, 1, 0.1);
		early += prof_pace_first(&pace) < 500 * MS;
	}
	ck_assert_int_gt(early, 400);
	ck_assert_int_lt(early, 600);
}
END_TEST

/* Their sum stays with the number of them, where each was chosen for itself it strays. */
START_TEST(periods_keep_the_rate)
{
	static const double spreads[] = {0.25, 1};

	for (size_t i = 0; i < PROF_COUNT(spreads); i++) {
		struct prof_pace pace;
		double place = 1;
		int64_t sum = 0, shortest = INT64_MAX, longest = 0;
		prof_pace_init(&pace, 100, 0.1);
		for (int count = 1; count < 10000; count++) {
			int64_t period = prof_pace_next(&pace, &place, spreads[i]);
			shortest = period < shortest ? period : shortest;
			longest = period > longest ? period : longest;
			sum += period;
			ck_assert_int_lt(llabs(sum - count * 10L * MS), 11 * MS);
		}
		ck_assert_double_lt((double)shortest, (1 - 0.9 * spreads[i]) * 10 * MS);
		ck_assert_double_gt((double)longest, (1 + 0.9 * spreads[i]) * 10 * MS);
	}
}
END_TEST

START_TEST(keeps_the_limit)
{
	struct prof_pace pace;

	prof_pace_init(&pace, 100, 0.1);
	prof_pace_restart(&pace, 0);
	prof_pace_count(&pace, 100 * MS, 400 * MS);
	ck_assert(!prof_pace_adjust(&pace, 499 * MS));
	ck_assert(prof_pace_adjust(&pace, 500 * MS));
	ck_assert_double_eq_tol(pace.rate, 50, 1e-9);

	/* Near to the limit it stays; well below it rises, up to what was asked for. */
	prof_pace_count(&pace, 45 * MS, 455 * MS);
	ck_assert(prof_pace_adjust(&pace, 1000 * MS));
	ck_assert_double_eq_tol(pace.rate, 50, 1e-9);
	for (int i = 3; i < 10; i++) {
		prof_pace_count(&pace, MS, 499 * MS);
		ck_assert(prof_pace_adjust(&pace, i * 500L * MS));
	}
	ck_assert_double_eq_tol(pace.rate, 100, 1e-9);
}
END_TEST

/*
 * Erlang at its start, on a machine with eight times as much to do as it has CPUs: the first stops
 * are long because nothing is known of the stack's code yet, and the rate was lowered for seconds.
 */
START_TEST(little_time_is_not_judged)
{
	struct prof_pace pace;

	prof_pace_init(&pace, 100, 0.1);
	prof_pace_restart(&pace, 0);
	for (int i = 1; i <= 5; i++) {
		prof_pace_count(&pace, (i == 1 ? 6 : 1) * (int64_t)MS, 26 * (int64_t)MS);
		ck_assert(prof_pace_adjust(&pace, i * 500L * MS));
		ck_assert_double_eq_tol(pace.rate, 100, 1e-9);
	}
	/* What was not judged counts later: these are 35 of 265 ms. */
	prof_pace_count(&pace, 25 * MS, 100 * MS);
	ck_assert(prof_pace_adjust(&pace, 3000L * MS));
	ck_assert_double_eq_tol(pace.rate, 100 * 0.1 / (35. / 265), 1e-9);
}
END_TEST

/* But as soon as it is clear that the limit is passed, the rate is lowered. */
START_TEST(much_is_judged_at_once)
{
	struct prof_pace pace;

	prof_pace_init(&pace, 100, 0.1);
	prof_pace_restart(&pace, 0);
	prof_pace_count(&pace, 50 * MS, 50 * MS);
	ck_assert(prof_pace_adjust(&pace, 500 * MS));
	ck_assert_double_eq_tol(pace.rate, 25, 1e-9);
	/* The rate fits the share, however little time that was. */
	prof_pace_count(&pace, 40 * MS, 160 * MS);
	ck_assert(prof_pace_adjust(&pace, 1000 * MS));
	ck_assert_double_eq_tol(pace.rate, 12.5, 1e-9);
}
END_TEST

/* A service that runs for 10 ms in a second. */
START_TEST(who_runs_little_gets_its_rate_back)
{
	struct prof_pace pace;

	prof_pace_init(&pace, 100, 0.1);
	prof_pace_restart(&pace, 0);
	pace.rate = 1;
	for (int i = 1; i <= 40; i++) {
		prof_pace_count(&pace, MS / 10, 5 * (int64_t)MS);
		ck_assert(prof_pace_adjust(&pace, i * 500L * MS));
	}
	ck_assert_double_eq_tol(pace.rate, 100, 1e-9);
	/* And keeps it, where a few stops were long. */
	for (int i = 41; i <= 60; i++) {
		prof_pace_count(&pace, i == 50 ? 20 * MS : 0, 5 * (int64_t)MS);
		ck_assert(prof_pace_adjust(&pace, i * 500L * MS));
	}
	ck_assert_double_eq_tol(pace.rate, 100, 1e-9);
}
END_TEST

/* PostgreSQL's first stops took a third of its time: no reason for two seconds at half the rate. */
START_TEST(rises_as_far_as_the_limit_allows)
{
	struct prof_pace pace;

	prof_pace_init(&pace, 100, 0.1);
	prof_pace_restart(&pace, 0);
	prof_pace_count(&pace, 200 * MS, 300 * MS);
	ck_assert(prof_pace_adjust(&pace, 500 * MS));
	ck_assert_double_eq_tol(pace.rate, 25, 1e-9);
	/* 3 % at a quarter of the rate would be 12 % at the whole one, so it becomes 7.5 %. */
	prof_pace_count(&pace, 15 * MS, 485 * MS);
	ck_assert(prof_pace_adjust(&pace, 1000 * MS));
	ck_assert_double_eq_tol(pace.rate, 62.5, 1e-9);
	prof_pace_count(&pace, 2 * MS, 498 * MS);
	ck_assert(prof_pace_adjust(&pace, 1500 * MS));
	ck_assert_double_eq_tol(pace.rate, 100, 1e-9);
}
END_TEST

START_TEST(never_gives_up)
{
	struct prof_pace pace;

	prof_pace_init(&pace, 100, 0.01);
	prof_pace_restart(&pace, 0);
	for (int i = 1; i < 20; i++) {
		prof_pace_count(&pace, 500 * MS, 0);
		ck_assert(prof_pace_adjust(&pace, i * 500L * MS));
	}
	ck_assert_double_eq_tol(pace.rate, 1, 1e-9);
}
END_TEST

RUN_TESTS("pace", periods_spread_over_a_whole_one, first_ticks_spread_over_a_period,
	periods_keep_the_rate, keeps_the_limit, little_time_is_not_judged, much_is_judged_at_once,
	who_runs_little_gets_its_rate_back, rises_as_far_as_the_limit_allows, never_gives_up)
