/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/calltree.h"

#include "metric_stacks.h"

enum { DEEP = 100000 };

static uint32_t add(struct prof_calltree *tree, const uint32_t *functions, size_t depth)
{
	uint32_t node;

	ck_assert_ok(prof_calltree_add(tree, functions, depth, &node));
	return node;
}

START_TEST(has_a_root_that_is_the_empty_stack)
{
	struct prof_calltree tree;

	ck_assert_ok(prof_calltree_init(&tree));
	prof_calltree_check(&tree);
	ck_assert_uint_eq(tree.nodes.count, 1);
	ck_assert_uint_eq(tree.nodes.items[0].function, PROF_NONE);
	ck_assert_uint_eq(add(&tree, NULL, 0), 0);
	ck_assert_uint_eq(tree.nodes.count, 1);
	prof_calltree_check(&tree);
	prof_calltree_deinit(&tree);
}
END_TEST

START_TEST(numbers_nodes_in_the_order_of_first_encounter)
{
	struct prof_calltree tree;

	ck_assert_ok(prof_calltree_init(&tree));
	ck_assert_uint_eq(add(&tree, (uint32_t[]){7, 3, 5}, 3), 3);
	ck_assert_uint_eq(add(&tree, (uint32_t[]){7, 3}, 2), 2);
	ck_assert_uint_eq(add(&tree, (uint32_t[]){7, 5, 3}, 3), 5);
	ck_assert_uint_eq(add(&tree, (uint32_t[]){3}, 1), 6);
	ck_assert_uint_eq(add(&tree, (uint32_t[]){7, 3, 5}, 3), 3);
	ck_assert_uint_eq(tree.nodes.count, 7);
	ck_assert_uint_eq(tree.nodes.items[5].parent, 4);
	ck_assert_uint_eq(tree.nodes.items[5].function, 3);
	ck_assert_uint_eq(tree.functions, 8);
	prof_calltree_check(&tree);
	prof_calltree_deinit(&tree);
}
END_TEST

START_TEST(finds_the_same_node_for_the_same_stack_only)
{
	for (uint64_t seed = 0; seed < 500; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		stacks_add_random(&stacks, seed);
		struct prof_calltree *tree = &stacks.profile.tree;
		ck_assert_ok(prof_calltree_init(tree));
		for (size_t i = 0; i < stacks.list.count; i++) {
			const struct stack *a = &stacks.list.items[i];
			uint32_t node = add(tree, a->functions, a->depth);
			for (size_t j = 0; j < i; j++) {
				const struct stack *b = &stacks.list.items[j];
				bool same = a->depth == b->depth &&
					!memcmp(a->functions, b->functions,
						a->depth * sizeof *a->functions);
				ck_assert(same == (node == add(tree, b->functions, b->depth)));
			}
		}
		prof_calltree_check(tree);
	}
}
END_TEST

START_TEST(agrees_with_itself_when_built_node_by_node)
{
	struct prof_calltree tree;
	uint32_t node;

	ck_assert_ok(prof_calltree_init(&tree));
	ck_assert_ok(prof_calltree_child(&tree, 0, 2, &node));
	ck_assert_ok(prof_calltree_child(&tree, node, 2, &node));
	ck_assert_ok(prof_calltree_child(&tree, node, 4, &node));
	ck_assert_uint_eq(add(&tree, (uint32_t[]){2, 2, 4}, 3), node);
	ck_assert_uint_eq(add(&tree, (uint32_t[]){2, 2, 4}, 3), node);
	prof_calltree_check(&tree);
	prof_calltree_deinit(&tree);
}
END_TEST

START_TEST(accumulates_subtrees)
{
	struct prof_calltree tree;

	ck_assert_ok(prof_calltree_init(&tree));
	add(&tree, (uint32_t[]){0, 1, 2}, 3); /* nodes 1, 2, 3 */
	add(&tree, (uint32_t[]){0, 2, 1}, 3); /* nodes 4, 5 */
	prof_value values[] = {0, 1, 2, 4, 8, 16};
	prof_calltree_accumulate(&tree, values);
	ck_assert_value(values[0], 31);
	ck_assert_value(values[1], 31);
	ck_assert_value(values[2], 6);
	ck_assert_value(values[3], 4);
	ck_assert_value(values[4], 24);
	ck_assert_value(values[5], 16);
	prof_calltree_deinit(&tree);
}
END_TEST

START_TEST(adds_up_large_and_small_values_exactly)
{
	struct prof_calltree tree;

	ck_assert_ok(prof_calltree_init(&tree));
	add(&tree, (uint32_t[]){0, 1}, 2);
	add(&tree, (uint32_t[]){0, 2}, 2);
	prof_value large = prof_value_of(INT64_C(1) << 53);
	prof_value values[] = {0, 1, large, large + 1};
	prof_calltree_accumulate(&tree, values);
	ck_assert_value(values[0], 2 * large + 2);
	prof_calltree_deinit(&tree);
}
END_TEST

START_TEST(holds_stacks_as_deep_as_they_come)
{
	uint32_t *functions = malloc(DEEP * sizeof *functions);
	struct prof_calltree tree;

	ck_assert_ptr_nonnull(functions);
	for (uint32_t i = 0; i < DEEP; i++)
		functions[i] = i % 3;
	ck_assert_ok(prof_calltree_init(&tree));
	ck_assert_uint_eq(add(&tree, functions, DEEP), DEEP);
	ck_assert_uint_eq(add(&tree, functions, DEEP), DEEP);
	ck_assert_uint_eq(add(&tree, functions, DEEP - 1), DEEP - 1);
	ck_assert_uint_eq(tree.nodes.count, DEEP + 1);
	prof_calltree_check(&tree);
	prof_calltree_deinit(&tree);
	free(functions);
}
END_TEST

RUN_TESTS("calltree", has_a_root_that_is_the_empty_stack,
	numbers_nodes_in_the_order_of_first_encounter, finds_the_same_node_for_the_same_stack_only,
	agrees_with_itself_when_built_node_by_node, accumulates_subtrees,
	adds_up_large_and_small_values_exactly, holds_stacks_as_deep_as_they_come)
