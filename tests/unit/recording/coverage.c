/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recording/coverage.h"

#include "suite.h"

#include <stdbool.h>

static struct prof_coverage coverage;

static void check(void)
{
	for (size_t i = 0; i < coverage.count; i++) {
		ck_assert_int_lt(coverage.items[i].begin, coverage.items[i].end);
		ck_assert(!i || coverage.items[i - 1].end < coverage.items[i].begin);
	}
}

static int64_t cover(int64_t begin, int64_t end)
{
	int64_t new = prof_coverage_add(&coverage, begin, end);

	check();
	return new;
}

START_TEST(time_counts_once)
{
	ck_assert_int_eq(cover(100, 200), 100);
	ck_assert_int_eq(cover(100, 200), 0);
	ck_assert_int_eq(cover(150, 250), 50);
	ck_assert_int_eq(cover(50, 300), 100);
	ck_assert_uint_eq(coverage.count, 1);
}
END_TEST

START_TEST(gaps_are_filled_in_any_order)
{
	ck_assert_int_eq(cover(500, 600), 100);
	ck_assert_int_eq(cover(100, 200), 100);
	ck_assert_int_eq(cover(300, 400), 100);
	ck_assert_uint_eq(coverage.count, 3);
	ck_assert_int_eq(cover(150, 550), 200);
	ck_assert_uint_eq(coverage.count, 1);
	ck_assert_int_eq(cover(600, 700), 100);
	ck_assert_uint_eq(coverage.count, 1);
}
END_TEST

START_TEST(nothing_covers_nothing)
{
	ck_assert_int_eq(cover(100, 100), 0);
	ck_assert_int_eq(cover(200, 100), 0);
	ck_assert_uint_eq(coverage.count, 0);
}
END_TEST

/* Of the time before those that are kept, nothing is told any more. */
START_TEST(as_much_as_is_told_is_covered)
{
	for (int64_t i = 0; i < 10 * PROF_COVERAGE_STRETCHES; i++) {
		ck_assert_int_eq(cover(10 * i, 10 * i + 5), 5);
		ck_assert_int_eq(cover(10 * i, 10 * i + 5), 0);
	}
	ck_assert_uint_eq(coverage.count, PROF_COVERAGE_STRETCHES);
}
END_TEST

/* Any stretches cover as much as a map of single moments says. */
START_TEST(random_stretches_are_covered)
{
	enum { END = 400 };
	bool map[END] = {false};

	srand(7);
	for (int i = 0; i < 2000; i++) {
		int begin = rand() % END, length = rand() % 6, new = 0;
		int end = begin + length < END ? begin + length : END;
		if (i % 400 == 0) {
			coverage.count = 0;
			memset(map, 0, sizeof map);
		}
		for (int j = begin; j < end; j++) {
			new += !map[j];
			map[j] = true;
		}
		ck_assert_int_eq(cover(begin, end), new);
	}
}
END_TEST

RUN_TESTS("coverage", time_counts_once, gaps_are_filled_in_any_order, nothing_covers_nothing,
	as_much_as_is_told_is_covered, random_stretches_are_covered)
