/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/budget.h"

#include "suite.h"

enum { MS = 1000000, LARGEST = 1000 };

/*
 * Rounds of a millisecond that cost FIXED ns and EACH ns for every sleeping thread of THREADS, a
 * stride's share of which is looked at in each.
 */
struct load {
	struct prof_budget budget;
	int64_t now, used, told;
};

static double share(struct load *load, int rounds, int64_t fixed, int64_t each, int threads)
{
	int64_t before = load->used;

	for (int i = 0; i < rounds; i++) {
		load->now += MS;
		int64_t turns = each * threads / (int64_t)load->budget.stride;
		load->budget.turns += turns;
		load->used += fixed + turns;
		load->told += prof_budget_adjust(&load->budget, load->now, load->used, LARGEST);
	}
	return (double)(load->used - before) / rounds / MS;
}

static struct load start(void)
{
	struct load load = {.now = 5, .used = 7};

	prof_budget_init(&load.budget);
	prof_budget_restart(&load.budget, load.now, load.used);
	ck_assert_uint_eq(load.budget.stride, 1);
	return load;
}

START_TEST(few_threads_are_looked_at_in_each_round)
{
	struct load load = start();

	share(&load, 1000, 5000, 1000, 20);
	ck_assert_uint_eq(load.budget.stride, 1);
}
END_TEST

START_TEST(share_of_many_threads_stays_below_the_limit)
{
	struct load load = start();

	share(&load, 500, 5000, 1000, 5000);
	ck_assert_double_le(share(&load, 1000, 5000, 1000, 5000), prof_budget_limit * 1.05);
	ck_assert_uint_gt(load.budget.stride, 100);
	/* It does not give away more than a third. */
	ck_assert_double_ge(share(&load, 1000, 5000, 1000, 5000), prof_budget_limit * 0.6);
}
END_TEST

START_TEST(stride_comes_down_again)
{
	struct load load = start();

	share(&load, 500, 5000, 1000, 5000);
	share(&load, 5000, 5000, 1000, 10);
	ck_assert_uint_eq(load.budget.stride, 1);
}
END_TEST

/* Rarer turns would not make it cheaper. */
START_TEST(turns_are_not_given_up_for_what_else_is_dear)
{
	struct load load = start();

	share(&load, 2000, 200000, 1000, 5000);
	ck_assert_double_ge(share(&load, 2000, 200000, 1000, 5000), 0.2 + prof_budget_limit * 0.15);
	ck_assert_double_le(share(&load, 2000, 200000, 1000, 5000), 0.2 + prof_budget_limit * 0.27);
}
END_TEST

START_TEST(no_stride_is_larger_than_allowed)
{
	struct load load = start();

	share(&load, 1000, 5000, 100000, 5000);
	ck_assert_uint_eq(load.budget.stride, LARGEST);
	prof_budget_adjust(&load.budget, load.now + 100 * MS, load.used, 10);
	ck_assert_uint_eq(load.budget.stride, 10);
}
END_TEST

START_TEST(all_that_was_used_is_told)
{
	struct load load = start();
	int64_t before = load.used;

	share(&load, 1000, 5000, 1000, 700);
	ck_assert_int_eq(load.told, load.used - before);
}
END_TEST

START_TEST(restart_forgets_what_was_before)
{
	struct load load = start();

	prof_budget_restart(&load.budget, load.now + 1000 * (int64_t)MS, load.used + 500 * MS);
	ck_assert_int_eq(prof_budget_adjust(&load.budget, load.now + 1100 * (int64_t)MS,
				 load.used + 501 * MS, LARGEST),
		MS);
	ck_assert_uint_eq(load.budget.stride, 1);
}
END_TEST

/* A list of a thousand threads takes some 2 ms where system calls are slow. */
START_TEST(what_takes_long_is_done_seldom)
{
	ck_assert_int_eq(prof_budget_rest(2 * MS, 50 * MS), 200 * MS);
	ck_assert_int_eq(prof_budget_rest(MS / 10, 50 * MS), 50 * MS);
}
END_TEST

RUN_TESTS("budget", few_threads_are_looked_at_in_each_round,
	share_of_many_threads_stays_below_the_limit, stride_comes_down_again,
	turns_are_not_given_up_for_what_else_is_dear, no_stride_is_larger_than_allowed,
	all_that_was_used_is_told, restart_forgets_what_was_before, what_takes_long_is_done_seldom)
