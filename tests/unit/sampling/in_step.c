/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/in_step.h"

#include "suite.h"

enum { US = 1000, TICK = 4000 * US };

static struct prof_in_step in_step;

/* COUNT timers that were LATE by so much in so many ns.  Returns how often they were in step. */
static int ring(int count, int64_t late, int64_t cpu, int64_t wall)
{
	int found = 0;

	for (int i = 0; i < count; i++)
		found += prof_in_step_add(&in_step, late, cpu, wall, TICK);
	return found;
}

START_TEST(few_rings_prove_nothing)
{
	ck_assert_int_eq(ring(PROF_IN_STEP_RINGS - 1, 0, 10000 * US, 100000 * US), 0);
	ck_assert_int_eq(ring(1, 0, 10000 * US, 100000 * US), 1);
}
END_TEST

START_TEST(rings_at_random_are_as_late_as_interrupts_are_apart)
{
	/* Work of 50 us, met by one of twenty interrupts. */
	ck_assert_int_eq(ring(1000, 3900 * US, 13900 * US, 278000 * US), 0);
	/* Half of the time. */
	ck_assert_int_eq(ring(1000, 3000 * US, 13000 * US, 27000 * US), 0);
}
END_TEST

START_TEST(work_that_a_clock_begins_is_met_soon)
{
	/* 50 us every 4 ms, and 2 ms. */
	ck_assert_int_eq(ring(PROF_IN_STEP_RINGS, 25 * US, 10025 * US, 802000 * US), 1);
	ck_assert_int_eq(ring(PROF_IN_STEP_RINGS, 1000 * US, 11000 * US, 22100 * US), 1);
}
END_TEST

START_TEST(a_busy_thread_is_met_soon_by_chance)
{
	ck_assert_int_eq(ring(1000, 1600 * US, 11600 * US, 12000 * US), 0);
}
END_TEST

START_TEST(what_was_judged_does_not_count_again)
{
	ck_assert_int_eq(ring(10 * PROF_IN_STEP_RINGS, 0, 10000 * US, 100000 * US), 10);
	ck_assert_int_eq(ring(PROF_IN_STEP_RINGS, 3900 * US, 13900 * US, 278000 * US), 0);
}
END_TEST

RUN_TESTS("in step", few_rings_prove_nothing, rings_at_random_are_as_late_as_interrupts_are_apart,
	work_that_a_clock_begins_is_met_soon, a_busy_thread_is_met_soon_by_chance,
	what_was_judged_does_not_count_again)
