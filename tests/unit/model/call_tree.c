/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of calls: its order. */
#include "model/call_tree.h"

#include "suite.h"

START_TEST(top_level_is_there_first)
{
	struct prof_tree tree;

	ck_assert_ok(prof_tree_init(&tree));
	prof_tree_check(&tree);
	ck_assert_uint_eq(tree.nodes.count, 1);
	ck_assert_uint_eq(tree.nodes.items[0].parent, PROF_NONE);
	ck_assert_uint_eq(tree.nodes.items[0].first, PROF_NONE);
	prof_tree_deinit(&tree);
	prof_tree_deinit(&tree);
}
END_TEST

START_TEST(sub_calls_stand_in_the_order_of_their_calls)
{
	static const uint32_t parents[] = {0, 1, 2, 1, 1, 0};
	struct prof_tree tree;
	uint32_t node;

	ck_assert_ok(prof_tree_init(&tree));
	for (uint32_t i = 0; i < PROF_COUNT(parents); i++) {
		ck_assert_ok(prof_tree_add(&tree, parents[i], 100 + i, &node));
		ck_assert_uint_eq(node, i + 1);
		prof_tree_check(&tree);
	}
	const struct prof_node *nodes = tree.nodes.items;
	ck_assert_uint_eq(nodes[0].first, 1);
	ck_assert_uint_eq(nodes[1].first, 2);
	ck_assert_uint_eq(nodes[2].first, 3);
	ck_assert_uint_eq(nodes[2].next, 4);
	ck_assert_uint_eq(nodes[4].next, 5);
	ck_assert_uint_eq(nodes[5].next, PROF_NONE);
	ck_assert_uint_eq(nodes[1].next, 6);
	ck_assert_uint_eq(nodes[3].name, 102);
	ck_assert_uint_eq(nodes[6].first, PROF_NONE);
	prof_tree_deinit(&tree);
}
END_TEST

RUN_TESTS("tree", top_level_is_there_first, sub_calls_stand_in_the_order_of_their_calls)
