/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/walk.h"

#include "metric_stacks.h"

START_TEST(enters_and_leaves_every_node_in_order)
{
	AUTO_STACKS struct stacks stacks = {0};
	AUTO_WALK struct prof_walk walk;
	static const int expected[] = {0, 1, 2, -2, 4, -4, -1, 3, -3, 0};

	stacks_add(&stacks, "a b", 1); /* nodes 1, 2 */
	stacks_add(&stacks, "c", 1);   /* node 3 */
	stacks_add(&stacks, "a d", 1); /* node 4 */
	ck_assert_ok(prof_walk_init(&walk, &stacks_profile(&stacks)->tree));
	for (size_t i = 0; i < PROF_COUNT(expected); i++) {
		ck_assert(prof_walk_next(&walk));
		ck_assert_int_eq(walk.entering ? (int)walk.node : -(int)walk.node, expected[i]);
		ck_assert(walk.entering == (i == 0 || expected[i] > 0));
		if (walk.node == 4)
			ck_assert_uint_eq(prof_walk_below(&walk, 0), 1);
		if (walk.node == 4)
			ck_assert_uint_eq(prof_walk_below(&walk, 1), 4);
	}
	ck_assert(!prof_walk_next(&walk));
	ck_assert(!prof_walk_next(&walk));
}
END_TEST

START_TEST(stays_on_one_path)
{
	for (uint64_t seed = 0; seed < 500; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		AUTO_WALK struct prof_walk walk;
		uint32_t path[64];
		size_t depth = 0, entered = 0;
		stacks_add_random(&stacks, seed);
		const struct prof_calltree *tree = &stacks_profile(&stacks)->tree;
		ck_assert_ok(prof_walk_init(&walk, tree));
		while (prof_walk_next(&walk)) {
			if (!walk.entering) {
				ck_assert_uint_eq(path[--depth], walk.node);
				continue;
			}
			if (depth)
				ck_assert_uint_eq(
					tree->nodes.items[walk.node].parent, path[depth - 1]);
			for (size_t i = 0; i < depth; i++)
				ck_assert_uint_eq(prof_walk_below(&walk, path[i]),
					i + 1 < depth ? path[i + 1] : walk.node);
			path[depth++] = walk.node;
			entered++;
		}
		ck_assert_uint_eq(depth, 0);
		ck_assert_uint_eq(entered, tree->nodes.count);
	}
}
END_TEST

RUN_TESTS("walk", enters_and_leaves_every_node_in_order, stays_on_one_path)
