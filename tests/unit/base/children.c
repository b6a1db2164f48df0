/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/children.h"

#include "suite.h"

#include <stdlib.h>

START_TEST(empty_index_finds_nothing)
{
	struct prof_children children = {0};

	ck_assert_uint_eq(prof_children_find(&children, 0, 0), PROF_NONE);
	ck_assert_uint_eq(prof_children_find(&children, PROF_NONE - 1, PROF_NONE), PROF_NONE);
	prof_children_deinit(&children);
}
END_TEST

/* The parent of NODE, a node before it: some have one child, and some have many. */
static uint32_t parent_of(uint32_t node)
{
	return node % 3 ? node - 1 : node / 1000 * 7;
}

START_TEST(finds_every_child_by_its_parent_and_label)
{
	enum { NODES = 100000 };
	struct prof_children children = {0};

	for (uint32_t node = 1; node < NODES; node++) {
		ck_assert_uint_eq(
			prof_children_find(&children, parent_of(node), node ^ 0x5a5a), PROF_NONE);
		ck_assert(prof_children_add(&children, parent_of(node), node ^ 0x5a5a, node));
	}
	ck_assert_uint_eq(children.count, NODES - 1);
	for (uint32_t node = 1; node < NODES; node++)
		ck_assert_uint_eq(
			prof_children_find(&children, parent_of(node), node ^ 0x5a5a), node);
	prof_children_deinit(&children);
	ck_assert_uint_eq(children.count, 0);
}
END_TEST

START_TEST(a_chain_needs_no_map)
{
	enum { NODES = 1000 };
	struct prof_children children = {0};

	for (uint32_t node = 1; node < NODES; node++)
		ck_assert(prof_children_add(&children, node - 1, 7, node));
	ck_assert_uint_eq(children.others.count, 0);
	ck_assert_uint_eq(children.firsts.count, NODES - 1);
	prof_children_deinit(&children);
}
END_TEST

START_TEST(the_child_that_was_added_first_is_found)
{
	struct prof_children children = {0};

	ck_assert(prof_children_add(&children, 0, 5, 1));
	ck_assert(prof_children_add(&children, 0, 5, 2));
	ck_assert_uint_eq(prof_children_find(&children, 0, 5), 1);
	ck_assert_uint_eq(children.count, 2);
	prof_children_deinit(&children);
}
END_TEST

START_TEST(pushes_a_row_and_its_number)
{
	PROF_ARRAY(int) rows = {0};
	struct prof_children children = {0};

	for (int i = 0; i < 10; i++) {
		int *row = prof_children_push(&children, 3, (uint32_t)i, &rows);
		ck_assert_ptr_nonnull(row);
		*row = i * i;
	}
	ck_assert_int_eq(rows.items[prof_children_find(&children, 3, 4)], 16);
	free(rows.items);
	prof_children_deinit(&children);
}
END_TEST

RUN_TESTS("children", empty_index_finds_nothing, finds_every_child_by_its_parent_and_label,
	a_chain_needs_no_map, the_child_that_was_added_first_is_found, pushes_a_row_and_its_number)
