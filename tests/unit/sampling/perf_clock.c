/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_clock.h"

#include "suite.h"

enum { MS = 1000000 };

static struct prof_perf_clock fresh;
static struct prof_perf_drift drift;

/* CLOCK's thread rests, and has RUN and SLICES when the event's count is COUNT. */
static void set(struct prof_perf_clock *clock, int64_t run, uint64_t slices, int64_t count)
{
	const struct prof_schedstat schedstat = {.run = run, .slices = slices};

	prof_perf_clock_set(clock, &drift, &schedstat, count);
}

static void start(void)
{
	fresh = (struct prof_perf_clock){.sure = true};
	drift = (struct prof_perf_drift){0};
}

/* ns that the count leaves out of each slice; -1: not known. */
static double left_out(void)
{
	double ns;

	return prof_perf_drift_of_slice(&drift, &ns) ? ns : -1;
}

START_TEST(at_first_both_run_alike)
{
	struct prof_perf_clock clock = {.run = 5 * MS, .count = 2 * MS};

	start();
	ck_assert_int_eq(prof_perf_clock_at(&clock, &drift, 3 * MS), 6 * MS);
}
END_TEST

START_TEST(how_they_differed_holds_for_all_threads)
{
	start();
	struct prof_perf_clock clock = fresh;

	/* Of 100 ms by the event's clock 10 were an interrupt's. */
	set(&clock, 90 * MS, 0, 100 * MS);
	ck_assert_int_eq(prof_perf_clock_at(&clock, &drift, 100 * MS), 90 * MS);
	ck_assert_int_eq(prof_perf_clock_at(&clock, &drift, 110 * MS), 99 * MS);
	ck_assert_int_eq(prof_perf_clock_at(&fresh, &drift, 10 * MS), 9 * MS);
}
END_TEST

START_TEST(what_began_on_a_cpu_is_no_measure)
{
	struct prof_perf_clock clock = {.run = 0};

	start();
	/* It had run for 4 ms more when its event was opened. */
	set(&clock, 24 * MS, 0, 20 * MS);
	ck_assert_int_eq(prof_perf_clock_at(&clock, &drift, 30 * MS), 34 * MS);
	set(&clock, 42 * MS, 0, 40 * MS);
	ck_assert_int_eq(prof_perf_clock_at(&clock, &drift, 50 * MS), 51 * MS);
}
END_TEST

START_TEST(what_was_long_ago_counts_less)
{
	start();
	struct prof_perf_clock clock = fresh;

	for (int i = 1; i <= 20; i++)
		set(&clock, i * 100L * MS, 0, i * 200L * MS);
	for (int i = 1; i <= 100; i++)
		set(&clock, (2000 + i * 100L) * MS, 0, (4000 + i * 100L) * MS);
	ck_assert_int_gt(prof_perf_clock_at(&fresh, &drift, 100 * MS), 98 * MS);
}
END_TEST

START_TEST(on_a_cpu_it_is_within_a_tick)
{
	start();
	struct prof_perf_clock clock = fresh;

	prof_perf_clock_bound(&clock, &drift, 50 * MS, 40 * MS);
	ck_assert_int_eq(prof_perf_clock_at(&clock, &drift, 40 * MS), 50 * MS);
	prof_perf_clock_bound(&clock, &drift, 50 * MS, 40 * MS + 10);
	ck_assert_int_eq(prof_perf_clock_at(&clock, &drift, 40 * MS), 50 * MS);
	/* No tick is as long as that. */
	prof_perf_clock_bound(&clock, &drift, 50 * MS, 140 * MS);
	ck_assert_int_ge(prof_perf_clock_at(&clock, &drift, 140 * MS), 51 * MS);
	ck_assert_int_le(prof_perf_clock_at(&clock, &drift, 140 * MS), 60 * MS);
}
END_TEST

START_TEST(what_each_slice_lacks_is_known)
{
	start();
	struct prof_perf_clock clock = fresh;

	ck_assert_double_eq(left_out(), -1);
	set(&clock, 118 * MS, 1000, 100 * MS);
	ck_assert_double_eq_tol(left_out(), 18000, 1);
	set(&clock, 236 * MS, 2000, 200 * MS);
	ck_assert_double_eq_tol(left_out(), 18000, 1);
	/* The event counts what the host has taken, too. */
	set(&clock, 300 * MS, 2001, 900 * MS);
	ck_assert_double_eq(left_out(), 0);
}
END_TEST

START_TEST(an_older_reading_takes_slices_back)
{
	start();
	struct prof_perf_clock clock = fresh;

	set(&clock, 118 * MS, 1000, 100 * MS);
	set(&clock, 117 * MS, 999, 101 * MS);
	set(&clock, 236 * MS, 2000, 200 * MS);
	ck_assert_double_eq_tol(left_out(), 18000, 1);
}
END_TEST

START_TEST(without_slices_none_lacks_anything)
{
	start();
	struct prof_perf_clock clock = fresh;

	set(&clock, 118 * MS, 0, 100 * MS);
	ck_assert_double_eq(left_out(), -1);
}
END_TEST

RUN_TESTS("perf clock", at_first_both_run_alike, how_they_differed_holds_for_all_threads,
	what_began_on_a_cpu_is_no_measure, what_was_long_ago_counts_less,
	on_a_cpu_it_is_within_a_tick, what_each_slice_lacks_is_known,
	an_older_reading_takes_slices_back, without_slices_none_lacks_anything)
