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
	periods_keep_the_rate, keeps_the_limit, never_gives_up)
