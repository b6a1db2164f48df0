/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/hot_path.h"

#include "base/text.h"
#include "metric/collapse.h"
#include "metric_stacks.h"

#include <stdio.h>

/* Fails unless the hot path of STACKS, collapsed to DEGREE, has the functions of EXPECTED. */
static void expect(struct stacks *stacks, enum prof_degree degree, const char *expected)
{
	const struct prof_profile *profile = stacks_profile(stacks);
	AUTO_HOT_PATH struct prof_hot_path path = {0};
	AUTO_TEXT struct prof_text text = {0};
	struct prof_collapsed *collapsed;

	ck_assert_ok(prof_collapse_create(&profile->tree, profile->self, degree, &collapsed));
	ck_assert_ok(prof_hot_path_find(&path, collapsed));
	for (size_t i = 0; i < path.nodes.count; i++)
		prof_text_print(&text, "%s%s", i ? " " : "",
			stacks->names[collapsed->nodes.items[path.nodes.items[i]].function]);
	ck_assert_str_eq(prof_text_get(&text), expected);
	prof_collapse_destroy(collapsed);
}

START_TEST(follows_the_child_with_the_most)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "main a x", 30);
	stacks_add(&stacks, "main b y", 25);
	stacks_add(&stacks, "main b z", 26);
	stacks_add(&stacks, "other", 19);
	expect(&stacks, PROF_COLLAPSE_NONE, "main b z");
}
END_TEST

START_TEST(ends_where_a_function_has_more_itself)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "main work", 60);
	stacks_add(&stacks, "main work leaf", 40);
	expect(&stacks, PROF_COLLAPSE_NONE, "main work");
}
END_TEST

START_TEST(ends_where_all_children_are_small)
{
	AUTO_STACKS struct stacks stacks = {0};

	for (int i = 0; i < 20; i++) {
		char stack[16];
		snprintf(stack, sizeof stack, "main f%d", i);
		stacks_add(&stacks, stack, 5);
	}
	expect(&stacks, PROF_COLLAPSE_NONE, "main");
}
END_TEST

START_TEST(passes_no_stub)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "main r r r s", 80);
	stacks_add(&stacks, "main r r", 20);
	expect(&stacks, PROF_COLLAPSE_FULL, "main r s");
}
END_TEST

START_TEST(of_nothing_is_empty)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "main a", 0);
	expect(&stacks, PROF_COLLAPSE_NONE, "");
}
END_TEST

RUN_TESTS("hot_path", follows_the_child_with_the_most, ends_where_a_function_has_more_itself,
	ends_where_all_children_are_small, passes_no_stub, of_nothing_is_empty)
