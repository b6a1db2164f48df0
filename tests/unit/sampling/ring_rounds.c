/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/ring_rounds.h"

#include "suite.h"

#define US INT64_C(1000)

START_TEST(at_usual_rates_each_period_has_a_round)
{
	ck_assert_int_eq(prof_ring_rounds(32, 10000 * US, false), 1);
	ck_assert_int_eq(prof_ring_rounds(32, 1000 * US, false), 1);
}
END_TEST

START_TEST(at_high_rates_several_samples_wait_for_a_round)
{
	ck_assert_int_eq(prof_ring_rounds(32, 500 * US, false), 2);
	ck_assert_int_eq(prof_ring_rounds(32, 100 * US, false), 4);
	ck_assert_int_eq(prof_ring_rounds(32, 10 * US, false), 4);
}
END_TEST

START_TEST(small_rings_are_emptied_more_often)
{
	ck_assert_int_eq(prof_ring_rounds(16, 100 * US, false), 2);
	ck_assert_int_eq(prof_ring_rounds(8, 100 * US, false), 1);
	ck_assert_int_eq(prof_ring_rounds(4, 100 * US, false), 1);
}
END_TEST

START_TEST(where_threads_compute_samples_wait_at_usual_rates_too)
{
	ck_assert_int_eq(prof_ring_rounds(32, 10000 * US, true), 1);
	ck_assert_int_eq(prof_ring_rounds(32, 2000 * US, true), 2);
	ck_assert_int_eq(prof_ring_rounds(32, 1000 * US, true), 4);
	ck_assert_int_eq(prof_ring_rounds(8, 1000 * US, true), 1);
}
END_TEST

RUN_TESTS("ring rounds", at_usual_rates_each_period_has_a_round,
	at_high_rates_several_samples_wait_for_a_round, small_rings_are_emptied_more_often,
	where_threads_compute_samples_wait_at_usual_rates_too)
