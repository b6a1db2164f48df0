/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/call_budget.h"

#include "suite.h"

enum { MOST = 4 };

static void call(struct call_budget *budget, uint32_t number, int count)
{
	for (int i = 0; i < count; i++)
		call_budget_add(budget, number);
}

START_TEST(what_is_called_most_is_counted_first)
{
	PROF_AUTO(call_budget_deinit) struct call_budget budget = {.limit = .1};
	uint32_t numbers[MOST];

	call(&budget, 7, 1000);
	call(&budget, 2, 3000);
	call(&budget, 5, 10);
	/* 40 ns each: 10 calls remain, of 100 that there is room for. */
	ck_assert_uint_eq(call_budget_look(&budget, 40000, 0, numbers, MOST), 2);
	ck_assert_uint_eq(numbers[0], 2);
	ck_assert_uint_eq(numbers[1], 7);
	/* They are not chosen again. */
	call(&budget, 2, 3000);
	call(&budget, 5, 10);
	ck_assert_uint_eq(call_budget_look(&budget, 40, 0, numbers, MOST), 1);
	ck_assert_uint_eq(numbers[0], 5);
	call(&budget, 2, 3000);
	ck_assert_uint_eq(call_budget_look(&budget, 40, 0, numbers, MOST), 0);
}
END_TEST

START_TEST(what_keeps_to_the_limit_is_recorded)
{
	PROF_AUTO(call_budget_deinit) struct call_budget budget = {.limit = .5};
	uint32_t numbers[MOST];

	for (int i = 0; i < 10; i++) {
		call(&budget, 1, 100);
		ck_assert_uint_eq(call_budget_look(&budget, 8000, 0, numbers, MOST), 0);
	}
	ck_assert_uint_eq(call_budget_look(&budget, 0, 0, numbers, MOST), 0);
}
END_TEST

START_TEST(calls_that_are_lost_exceed_the_limit)
{
	PROF_AUTO(call_budget_deinit) struct call_budget budget = {.limit = .5};
	uint32_t numbers[MOST];

	call(&budget, 1, 100);
	call(&budget, 2, 90);
	ck_assert_uint_eq(call_budget_look(&budget, INT64_MAX, 10, numbers, MOST), 1);
	ck_assert_uint_eq(numbers[0], 1);
}
END_TEST

START_TEST(without_a_limit_all_is_recorded)
{
	PROF_AUTO(call_budget_deinit) struct call_budget budget = {0};
	uint32_t numbers[MOST];

	call(&budget, 1, 100);
	ck_assert_uint_eq(call_budget_look(&budget, 1, 10, numbers, MOST), 0);
}
END_TEST

RUN_TESTS("call_budget", what_is_called_most_is_counted_first, what_keeps_to_the_limit_is_recorded,
	calls_that_are_lost_exceed_the_limit, without_a_limit_all_is_recorded)
