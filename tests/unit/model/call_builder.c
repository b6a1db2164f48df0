/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The builder: what its nodes have after each event. */
#include "model/call_builder.h"

#include "suite.h"

#include <stdio.h>

/* Names of calls. */
enum { F, G, H };

static const char *const names[] = {[F] = "f", [G] = "g", [H] = "h"};

/* Time goes with the cost by a clock of 7 ns. */
enum { CLOCK = 7 };

static void call(struct prof_builder *builder, uint32_t name, int64_t cost)
{
	ck_assert_ok(prof_builder_call(builder, name, cost, cost * CLOCK));
}

static void end(struct prof_builder *builder, int64_t cost)
{
	ck_assert_ok(prof_builder_end(builder, cost, cost * CLOCK));
}

static int depth_of(const struct prof_tree *tree, uint32_t node)
{
	int depth = -1;

	while ((node = tree->nodes.items[node].parent) != PROF_NONE)
		depth++;
	return depth;
}

/* The tree has these lines, "- NAME : COST", two spaces a level; the one that runs has a *. */
static void expect(const struct prof_builder *builder, const char *lines)
{
	char text[512] = "";

	for (uint32_t i = 1; i < builder->tree.nodes.count; i++) {
		const struct prof_node *node = &builder->tree.nodes.items[i];
		size_t length = strlen(text);
		snprintf(text + length, sizeof text - length, "%*s- %s : %lld%s\n",
			2 * depth_of(&builder->tree, i), "", names[node->name],
			(long long)node->cost, i == builder->current ? "*" : "");
		ck_assert_int_eq(node->time, node->cost * CLOCK);
	}
	ck_assert_str_eq(text, lines);
}

START_TEST(suspends_and_resumes_as_calls_begin_and_end)
{
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	expect(&builder, "");
	call(&builder, F, 0);
	expect(&builder, "- f : 0*\n");
	call(&builder, G, 10);
	expect(&builder, "- f : 10\n  - g : 10*\n");
	call(&builder, H, 30);
	expect(&builder, "- f : 10\n  - g : 20\n    - h : 30*\n");
	end(&builder, 60);
	expect(&builder, "- f : 10\n  - g : 40*\n    - h : 30\n");
	end(&builder, 100);
	expect(&builder, "- f : 90*\n  - g : 60\n    - h : 30\n");
	end(&builder, 160);
	expect(&builder, "- f : 70\n  - g : 60\n    - h : 30\n");
	ck_assert_uint_eq(builder.current, 0);
	ck_assert_uint_eq(builder.extra_ends, 0);
	ck_assert_uint_eq(prof_builder_finish(&builder, 0, 0), 0);
	prof_tree_check(&builder.tree);
}
END_TEST

START_TEST(first_tick_need_not_be_0)
{
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	call(&builder, F, INT64_MAX / CLOCK - 3);
	call(&builder, G, INT64_MAX / CLOCK - 2);
	end(&builder, INT64_MAX / CLOCK);
	end(&builder, INT64_MAX / CLOCK);
	expect(&builder, "- f : 1\n  - g : 2\n");
	ck_assert_int_eq(builder.tree.nodes.items[2].begin, (INT64_MAX / CLOCK - 2) * CLOCK);
}
END_TEST

START_TEST(each_call_is_a_node_of_its_own)
{
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	call(&builder, F, 0);
	call(&builder, G, 5);
	end(&builder, 15);
	call(&builder, H, 20);
	end(&builder, 30);
	call(&builder, G, 35);
	end(&builder, 50);
	end(&builder, 60);
	call(&builder, F, 60);
	end(&builder, 60);
	expect(&builder, "- f : 25\n  - g : 10\n  - h : 10\n  - g : 15\n- f : 0\n");
	prof_tree_check(&builder.tree);
}
END_TEST

START_TEST(what_passes_at_the_top_level_belongs_to_no_call)
{
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	call(&builder, F, 10);
	end(&builder, 20);
	call(&builder, G, 100);
	end(&builder, 101);
	expect(&builder, "- f : 10\n- g : 1\n");
	ck_assert_int_eq(builder.tree.nodes.items[0].cost, 0);
}
END_TEST

START_TEST(end_at_the_top_level_changes_nothing_and_is_counted)
{
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	end(&builder, 3);
	expect(&builder, "");
	call(&builder, F, 10);
	end(&builder, 20);
	end(&builder, 30);
	end(&builder, 40);
	expect(&builder, "- f : 10\n");
	ck_assert_uint_eq(builder.extra_ends, 3);
	call(&builder, G, 50);
	end(&builder, 55);
	expect(&builder, "- f : 10\n- g : 5\n");
	prof_tree_check(&builder.tree);
}
END_TEST

START_TEST(calls_that_go_on_end_at_the_last_tick)
{
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	call(&builder, F, 0);
	call(&builder, G, 10);
	call(&builder, H, 30);
	end(&builder, 60);
	ck_assert_uint_eq(prof_builder_finish(&builder, 0, 0), 2);
	expect(&builder, "- f : 10\n  - g : 20\n    - h : 30\n");
	ck_assert_uint_eq(prof_builder_finish(&builder, 0, 0), 0);
	ck_assert_uint_eq(builder.extra_ends, 0);
}
END_TEST

START_TEST(calls_end_in_three_ways)
{
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	call(&builder, F, 0);
	call(&builder, G, 10);
	call(&builder, H, 20);
	ck_assert_ok(prof_builder_leave(&builder, 30, 30 * CLOCK));
	end(&builder, 40);
	ck_assert_error(prof_builder_leave(&builder, 39, 40 * CLOCK), "tick 39");
	ck_assert_uint_eq(prof_builder_finish(&builder, 60, 60 * CLOCK), 1);
	expect(&builder, "- f : 30\n  - g : 20\n    - h : 10\n");
	ck_assert_int_eq(builder.tree.nodes.items[1].end, PROF_CALL_END_OPEN);
	ck_assert_int_eq(builder.tree.nodes.items[2].end, PROF_CALL_END_RETURNED);
	ck_assert_int_eq(builder.tree.nodes.items[3].end, PROF_CALL_END_LEFT);
	ck_assert_ok(prof_builder_leave(&builder, 70, 70 * CLOCK));
	ck_assert_uint_eq(builder.extra_ends, 1);
}
END_TEST

START_TEST(ticks_and_time_do_not_go_back)
{
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	ck_assert_error(prof_builder_call(&builder, F, -1, 0), "tick -1");
	ck_assert_error(prof_builder_end(&builder, 0, -1), "-1 ns");
	call(&builder, F, 10);
	ck_assert_error(prof_builder_call(&builder, G, 9, 100), "tick 9, 100 ns");
	ck_assert_error(prof_builder_end(&builder, 9, 100), "cannot follow one at tick 10, 70 ns");
	ck_assert_error(prof_builder_call(&builder, G, 20, 69), "tick 20, 69 ns");
	ck_assert_error(prof_builder_end(&builder, 20, 69), "tick 20, 69 ns");
	expect(&builder, "- f : 10*\n");
	end(&builder, 10);
	ck_assert_error(prof_builder_end(&builder, 9, 70), "tick 9");
	expect(&builder, "- f : 0\n");
	ck_assert_uint_eq(builder.extra_ends, 0);
}
END_TEST

START_TEST(deep_nesting_takes_no_stack)
{
	enum { DEPTH = 1000000 };
	AUTO_BUILDER struct prof_builder builder;

	ck_assert_ok(prof_builder_init(&builder));
	for (int i = 0; i < DEPTH; i++)
		call(&builder, F, i);
	ck_assert_uint_eq(prof_builder_finish(&builder, 0, 0), DEPTH);
	ck_assert_int_eq(builder.tree.nodes.items[1].cost, 1);
	ck_assert_int_eq(builder.tree.nodes.items[DEPTH].cost, 0);
}
END_TEST

RUN_TESTS("builder", suspends_and_resumes_as_calls_begin_and_end, first_tick_need_not_be_0,
	each_call_is_a_node_of_its_own, what_passes_at_the_top_level_belongs_to_no_call,
	end_at_the_top_level_changes_nothing_and_is_counted, calls_that_go_on_end_at_the_last_tick,
	calls_end_in_three_ways, ticks_and_time_do_not_go_back, deep_nesting_takes_no_stack)
