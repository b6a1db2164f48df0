/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/pairs.h"

#include "metric_stacks.h"

START_TEST(numbers_each_pair_once)
{
	AUTO_PAIRS struct prof_pairs pairs = {0};
	uint32_t number;

	ck_assert_ok(prof_pairs_add(&pairs, 1, 2, &number));
	ck_assert_uint_eq(number, 0);
	ck_assert_ok(prof_pairs_add(&pairs, 2, 1, &number));
	ck_assert_uint_eq(number, 1);
	ck_assert_ok(prof_pairs_add(&pairs, 1, 2, &number));
	ck_assert_uint_eq(number, 0);
	ck_assert_uint_eq(pairs.list.count, 2);
}
END_TEST

START_TEST(takes_the_pairs_of_a_tree_in_the_order_of_first_encounter)
{
	AUTO_STACKS struct stacks stacks = {0};
	AUTO_PAIRS struct prof_pairs pairs = {0};
	AUTO_FREE uint32_t *by_node = NULL;
	static const uint32_t expected[] = {PROF_NONE, 0, 1, 2, 3, 1};
	static const struct prof_pair list[] = {{PROF_NONE, 0}, {0, 1}, {1, 1}, {1, 0}};

	stacks_add(&stacks, "a b b a b", 1);
	ck_assert_ok(prof_pairs_of_tree(&pairs, &stacks_profile(&stacks)->tree, &by_node));
	for (size_t i = 0; i < PROF_COUNT(expected); i++)
		ck_assert_uint_eq(by_node[i], expected[i]);
	ck_assert_uint_eq(pairs.list.count, PROF_COUNT(list));
	for (size_t i = 0; i < PROF_COUNT(list); i++) {
		ck_assert_uint_eq(pairs.list.items[i].caller, list[i].caller);
		ck_assert_uint_eq(pairs.list.items[i].callee, list[i].callee);
	}
}
END_TEST

RUN_TESTS(
	"pairs", numbers_each_pair_once, takes_the_pairs_of_a_tree_in_the_order_of_first_encounter)
