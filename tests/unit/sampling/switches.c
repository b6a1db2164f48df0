/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/switches.h"

#include "suite.h"

START_TEST(what_may_be_chance_is_not_missing)
{
	const struct prof_switches none = {0}, few = {.due = 100, .had = 91},
				   many = {.due = 100, .had = 130};

	ck_assert_double_eq(prof_switches_missing(&none), 0);
	ck_assert_double_eq(prof_switches_missing(&few), 0);
	ck_assert_double_eq(prof_switches_missing(&many), 0);
}
END_TEST

START_TEST(the_rest_may_be_given_once)
{
	struct prof_switches switches = {.due = 10000, .had = 8000};

	ck_assert_double_eq(prof_switches_missing(&switches), 1900);
	switches.given = 1800;
	ck_assert_double_eq(prof_switches_missing(&switches), 100);
	switches.given = 1901;
	ck_assert_double_eq(prof_switches_missing(&switches), 0);
}
END_TEST

START_TEST(clocks_of_threads_know_no_chance)
{
	const struct prof_switches switches = {.due = 100, .had = 91, .given = 5, .exact = true};

	ck_assert_double_eq(prof_switches_missing(&switches), 4);
}
END_TEST

START_TEST(a_switch_explains_what_clocks_leave_out)
{
	const struct prof_switches unknown = {0}, slow = {.measured = true, .left_out = 18000},
				   fast = {.measured = true, .left_out = 200};

	ck_assert_double_ge(prof_switches_limit(&unknown), 3500);
	ck_assert_double_le(prof_switches_limit(&unknown), 10000);
	ck_assert_double_gt(prof_switches_limit(&slow), 18000);
	ck_assert_double_le(prof_switches_limit(&slow), 40000);
	ck_assert_double_le(prof_switches_limit(&fast), 400);
}
END_TEST

START_TEST(each_slice_explains_more_up_to_a_few_samples)
{
	const struct prof_switches slow = {.measured = true, .left_out = 10000};
	double one = prof_switches_more(&slow, 0, 1, 100);

	ck_assert_double_eq_tol(one, prof_switches_limit(&slow) / 1e7, 1e-9);
	ck_assert_double_eq_tol(prof_switches_more(&slow, one, 2, 100), 3 * one, 1e-9);
	ck_assert_double_le(prof_switches_more(&slow, 1, 1000000, 100), 10);
}
END_TEST

RUN_TESTS("switches", what_may_be_chance_is_not_missing, the_rest_may_be_given_once,
	clocks_of_threads_know_no_chance, a_switch_explains_what_clocks_leave_out,
	each_slice_explains_more_up_to_a_few_samples)
