/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/collapse.h"

#include "base/text.h"
#include "metric_stacks.h"

enum { DEEP = 100000 };

static struct prof_collapsed *collapse(const struct prof_profile *profile, enum prof_degree degree)
{
	struct prof_collapsed *collapsed;

	ck_assert_ok(prof_collapse_create(&profile->tree, profile->self, degree, &collapsed));
	prof_collapse_check(collapsed);
	return collapsed;
}

/* The next node after NODE in the order of a printed tree, or PROF_NONE. */
static uint32_t next(const struct prof_collapsed_node *nodes, uint32_t node)
{
	if (nodes[node].child != PROF_NONE)
		return nodes[node].child;
	while (node != PROF_NONE && nodes[node].sibling == PROF_NONE)
		node = nodes[node].parent;
	return node == PROF_NONE ? node : nodes[node].sibling;
}

/* Prints a line per node: "in-or-under in-only level name", or "level name..." of a stub. */
static void print(
	const struct prof_collapsed *collapsed, const struct stacks *stacks, struct prof_text *text)
{
	const struct prof_collapsed_node *nodes = collapsed->nodes.items;
	char value[PROF_VALUE_TEXT];

	for (uint32_t i = next(nodes, 0); i != PROF_NONE; i = next(nodes, i)) {
		const char *name = stacks->names[nodes[i].function];
		if (nodes[i].stub) {
			prof_text_print(text, "%u %s...\n", nodes[i].level, name);
			continue;
		}
		prof_text_print(text, "%s", prof_value_print(nodes[i].direct, 1, value));
		if (nodes[i].indirect)
			prof_text_print(
				text, " (%s)", prof_value_print(nodes[i].indirect, 1, value));
		prof_text_print(text, " %s", prof_value_print(nodes[i].in_only, 1, value));
		prof_text_print(text, " %u %s\n", nodes[i].level, name);
	}
}

/* Fails unless the stacks collapsed to DEGREE print as EXPECTED. */
static void expect(struct stacks *stacks, enum prof_degree degree, const char *expected)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_collapsed *collapsed = collapse(&stacks->profile, degree);

	print(collapsed, stacks, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
	prof_collapse_destroy(collapsed);
}

/* The same for one stack of value 1 alone. */
static void expect_one(const char *stack, enum prof_degree degree, const char *expected)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, stack, PROF_VALUE_ONE);
	stacks_profile(&stacks);
	expect(&stacks, degree, expected);
}

/* The stacks of the example in HP's guide, one sample each. */
static void add_example(struct stacks *stacks)
{
	static const char *const texts[] = {
		"main r", "main r s", "main r r", "main r r s", "main r r r", "main r r r s"};

	for (size_t i = 0; i < PROF_COUNT(texts); i++)
		stacks_add(stacks, texts[i], PROF_VALUE_ONE);
	stacks_profile(stacks);
}

START_TEST(shows_all_calls_without_collapse)
{
	AUTO_STACKS struct stacks stacks = {0};

	add_example(&stacks);
	expect(&stacks, PROF_COLLAPSE_NONE,
		"6 0 1 main\n"
		"6 1 2 r\n"
		"1 1 3 s\n"
		"4 1 3 r\n"
		"1 1 4 s\n"
		"2 1 4 r\n"
		"1 1 5 s\n");
}
END_TEST

START_TEST(collapses_direct_recursion_in_every_degree)
{
	AUTO_STACKS struct stacks stacks = {0};

	add_example(&stacks);
	for (enum prof_degree degree = PROF_COLLAPSE_DIRECT; degree < PROF_DEGREES; degree++)
		expect(&stacks, degree,
			"6 0 1 main\n"
			"6 3 2 r\n"
			"1 (2) 3 3 s\n"
			"3 r...\n");
}
END_TEST

START_TEST(collapses_fully_as_the_guide_says)
{
	static const char stack[] = "main a b c b a d c";
	static const char chain[] = "1 0 1 main\n1 0 2 a\n1 0 3 b\n1 0 4 c\n"
				    "1 0 5 b\n1 0 6 a\n1 0 7 d\n1 1 8 c\n";

	expect_one(stack, PROF_COLLAPSE_FULL,
		"1 0 1 main\n"
		"1 0 2 a\n"
		"1 0 3 b\n"
		"1 0 4 c\n"
		"5 b...\n"
		"4 a...\n"
		"0 (1) 0 3 d\n"
		"0 (1) 1 4 c\n");
	expect_one(stack, PROF_COLLAPSE_NONE, chain);
	expect_one(stack, PROF_COLLAPSE_DIRECT, chain);
	expect_one(stack, PROF_COLLAPSE_CONSERVATIVE, chain);
}
END_TEST

START_TEST(collapses_a_routine_that_calls_itself)
{
	static const char collapsed[] = "1 0 1 main\n1 0 2 a\n3 a...\n0 (1) 1 3 b\n";

	expect_one("main a a a b", PROF_COLLAPSE_NONE,
		"1 0 1 main\n1 0 2 a\n1 0 3 a\n1 0 4 a\n1 1 5 b\n");
	expect_one("main a a a b", PROF_COLLAPSE_DIRECT, collapsed);
	expect_one("main a a a b", PROF_COLLAPSE_CONSERVATIVE, collapsed);
	expect_one("main a a a b", PROF_COLLAPSE_FULL, collapsed);
}
END_TEST

START_TEST(loses_no_name_when_conservative)
{
	static const char chain[] = "1 0 1 main\n1 0 2 a\n1 0 3 b\n1 0 4 a\n1 1 5 b\n";

	expect_one("main a b a b", PROF_COLLAPSE_NONE, chain);
	expect_one("main a b a b", PROF_COLLAPSE_DIRECT, chain);
	expect_one("main a b a b", PROF_COLLAPSE_CONSERVATIVE,
		"1 0 1 main\n1 0 2 a\n1 1 3 b\n1 0 4 a\n5 b...\n");
	expect_one("main a b a b", PROF_COLLAPSE_FULL, "1 0 1 main\n1 0 2 a\n1 1 3 b\n4 a...\n");
}
END_TEST

START_TEST(searches_what_is_above_after_the_jumps)
{
	/* The jump to the upper a leaves both b, so that a third b is none of them. */
	expect_one("main a c a b a b b", PROF_COLLAPSE_FULL,
		"1 0 1 main\n1 0 2 a\n1 0 3 c\n4 a...\n0 (1) 1 3 b\n4 a...\n4 b...\n");
	/* Here a jump leaves the lower a, and the upper one is found behind it. */
	expect_one("main a b a b a b", PROF_COLLAPSE_CONSERVATIVE,
		"1 0 1 main\n1 0 2 a\n1 1 3 b\n1 0 4 a\n5 b...\n");
}
END_TEST

START_TEST(keeps_first_encounter_order_across_branches)
{
	AUTO_STACKS struct stacks stacks = {0};

	/* Met third, `main a a z` comes to a's child z before `main a y` makes the child y. */
	stacks_add(&stacks, "main a x", PROF_VALUE_ONE);
	stacks_add(&stacks, "main b", PROF_VALUE_ONE);
	stacks_add(&stacks, "main a a z", PROF_VALUE_ONE);
	stacks_add(&stacks, "main a y", PROF_VALUE_ONE);
	stacks_add(&stacks, "main a z", PROF_VALUE_ONE);
	stacks_profile(&stacks);
	expect(&stacks, PROF_COLLAPSE_FULL,
		"5 0 1 main\n4 0 2 a\n1 1 3 x\n3 a...\n1 (1) 2 3 z\n1 1 3 y\n1 1 2 b\n");
}
END_TEST

START_TEST(makes_one_stub_for_many_recursions)
{
	AUTO_STACKS struct stacks stacks = {0};
	uint32_t functions[101] = {0};

	stacks_function(&stacks, "main");
	stacks_function(&stacks, "r");
	for (size_t i = 1; i < PROF_COUNT(functions); i++) {
		functions[i] = 1;
		stacks_push(&stacks, functions, i + 1, PROF_VALUE_ONE);
	}
	stacks_profile(&stacks);
	expect(&stacks, PROF_COLLAPSE_FULL, "100 0 1 main\n100 100 2 r\n3 r...\n");
}
END_TEST

START_TEST(keeps_what_was_met_but_weighs_nothing)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "main a a b", 0);
	stacks_profile(&stacks);
	expect(&stacks, PROF_COLLAPSE_DIRECT, "0 0 1 main\n0 0 2 a\n3 a...\n0 0 3 b\n");
}
END_TEST

START_TEST(collapses_nothing_to_nothing)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_profile(&stacks);
	for (enum prof_degree degree = 0; degree < PROF_DEGREES; degree++)
		expect(&stacks, degree, "");
}
END_TEST

START_TEST(keeps_large_and_small_values_exactly)
{
	AUTO_STACKS struct stacks stacks = {0};
	prof_value large = prof_value_of(INT64_C(1) << 53);

	stacks_add(&stacks, "main r", large);
	stacks_add(&stacks, "main r r s", large + 1);
	stacks_add(&stacks, "main r s", 1);
	stacks_profile(&stacks);
	expect(&stacks, PROF_COLLAPSE_FULL,
		"18014398509481984.000002 0 1 main\n"
		"18014398509481984.000002 9007199254740992 2 r\n"
		"3 r...\n"
		"0.000001 (9007199254740992.000001) 9007199254740992.000002 3 s\n");
}
END_TEST

/* The rules as they stand, stack by stack: O(stacks * depth^2), and beyond doubt. */
struct plain_node {
	uint32_t function, parent;
	bool stub;
	prof_value direct, indirect, in_only;
};

struct plain {
	struct plain_node nodes[256];
	uint32_t count;
};

/* Is FUNCTION on the path from the root to NODE? */
static bool occurs(const struct plain *plain, uint32_t node, uint32_t function)
{
	for (; node; node = plain->nodes[node].parent)
		if (plain->nodes[node].function == function)
			return true;
	return false;
}

/* The node to which a call of FUNCTION at AT is a stub, or 0. */
static uint32_t plain_target(
	const struct plain *plain, uint32_t at, uint32_t function, enum prof_degree degree)
{
	uint32_t above = at;

	while (above && plain->nodes[above].function != function)
		above = plain->nodes[above].parent;
	if (degree == PROF_COLLAPSE_NONE || (degree == PROF_COLLAPSE_DIRECT && above != at))
		return 0;
	if (degree == PROF_COLLAPSE_CONSERVATIVE)
		for (uint32_t i = at; above && i != above; i = plain->nodes[i].parent)
			if (!occurs(plain, above, plain->nodes[i].function))
				return 0;
	return above;
}

static uint32_t plain_child(struct plain *plain, uint32_t at, uint32_t function, bool stub)
{
	for (uint32_t i = 1; i < plain->count; i++)
		if (plain->nodes[i].parent == at && plain->nodes[i].function == function &&
			plain->nodes[i].stub == stub)
			return i;
	ck_assert_uint_lt(plain->count, PROF_COUNT(plain->nodes));
	plain->nodes[plain->count] =
		(struct plain_node){.function = function, .parent = at, .stub = stub};
	return plain->count++;
}

static void plain_add(struct plain *plain, const struct stack *stack, enum prof_degree degree)
{
	bool arrived[PROF_COUNT(plain->nodes)] = {true};
	bool jumped = false;
	uint32_t at = 0;

	plain->nodes[0].direct += stack->value;
	for (size_t i = 0; i < stack->depth; i++) {
		uint32_t target = plain_target(plain, at, stack->functions[i], degree);
		uint32_t child = plain_child(plain, at, stack->functions[i], target != 0);
		jumped = jumped || target;
		at = target ? target : child;
		if (!arrived[at]) {
			struct plain_node *node = &plain->nodes[at];
			*(jumped ? &node->indirect : &node->direct) += stack->value;
		}
		arrived[at] = true;
	}
	plain->nodes[at].in_only += stack->value;
}

/* Fails unless COLLAPSED is PLAIN, numbers included; returns the sum of the in-only values. */
static prof_value compare(const struct prof_collapsed *collapsed, const struct plain *plain)
{
	prof_value in_only = 0;

	ck_assert_uint_eq(collapsed->nodes.count, plain->count);
	for (uint32_t i = 0; i < plain->count; i++) {
		const struct prof_collapsed_node *node = &collapsed->nodes.items[i];
		if (i) {
			ck_assert_uint_eq(node->function, plain->nodes[i].function);
			ck_assert_uint_eq(node->parent, plain->nodes[i].parent);
		}
		ck_assert(node->stub == plain->nodes[i].stub);
		ck_assert_value(node->direct, plain->nodes[i].direct);
		ck_assert_value(node->indirect, plain->nodes[i].indirect);
		ck_assert_value(node->in_only, plain->nodes[i].in_only);
		in_only += node->in_only;
	}
	return in_only;
}

START_TEST(agrees_with_the_rules_on_random_stacks)
{
	for (uint64_t seed = 0; seed < 5000; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		stacks_add_random(&stacks, seed);
		const struct prof_profile *profile = stacks_profile(&stacks);
		for (enum prof_degree degree = 0; degree < PROF_DEGREES; degree++) {
			struct prof_collapsed *collapsed = collapse(profile, degree);
			struct plain plain = {.count = 1};
			for (size_t i = 0; i < stacks.list.count; i++)
				plain_add(&plain, &stacks.list.items[i], degree);
			ck_assert_value(compare(collapsed, &plain), profile->inclusive[0]);
			prof_collapse_destroy(collapsed);
		}
	}
}
END_TEST

START_TEST(keeps_exclusive_values_in_every_degree)
{
	for (uint64_t seed = 0; seed < 1000; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		stacks_add_random(&stacks, seed);
		const struct prof_profile *profile = stacks_profile(&stacks);
		for (enum prof_degree degree = 0; degree < PROF_DEGREES; degree++) {
			prof_value exclusive[8] = {0};
			struct prof_collapsed *collapsed = collapse(profile, degree);
			for (size_t i = 1; i < collapsed->nodes.count; i++)
				exclusive[collapsed->nodes.items[i].function] +=
					collapsed->nodes.items[i].in_only;
			for (size_t i = 1; i < profile->tree.nodes.count; i++)
				exclusive[profile->tree.nodes.items[i].function] -=
					profile->self[i];
			for (size_t i = 0; i < PROF_COUNT(exclusive); i++)
				ck_assert_value(exclusive[i], 0);
			prof_collapse_destroy(collapsed);
		}
	}
}
END_TEST

/* Stacks of DEEP frames, whose function at depth I is I % PERIOD, and one without the outermost. */
static void collapse_deep(uint32_t period, enum prof_degree degree, size_t nodes)
{
	AUTO_STACKS struct stacks stacks = {0};
	uint32_t *functions = malloc(DEEP * sizeof *functions);

	ck_assert_ptr_nonnull(functions);
	for (uint32_t i = 0; i < DEEP; i++)
		functions[i] = i % period;
	stacks_push(&stacks, functions, DEEP, PROF_VALUE_ONE);
	stacks_push(&stacks, functions + 1, DEEP - 1, PROF_VALUE_ONE);
	struct prof_collapsed *collapsed = collapse(stacks_profile(&stacks), degree);
	ck_assert_uint_eq(collapsed->nodes.count, nodes);
	ck_assert_value(collapsed->nodes.items[0].direct, 2 * PROF_VALUE_ONE);
	prof_collapse_destroy(collapsed);
	free(functions);
}

START_TEST(collapses_stacks_as_deep_as_they_come)
{
	for (enum prof_degree degree = PROF_COLLAPSE_DIRECT; degree < PROF_DEGREES; degree++)
		collapse_deep(1, degree, 3);
	collapse_deep(1, PROF_COLLAPSE_NONE, DEEP + 1);
	collapse_deep(1000, PROF_COLLAPSE_FULL, 1 + 2 * 1001);
	collapse_deep(1000, PROF_COLLAPSE_CONSERVATIVE, 1 + 2 * 2000);
	for (enum prof_degree degree = 0; degree < PROF_DEGREES; degree++)
		collapse_deep(DEEP, degree, 2 * DEEP);
}
END_TEST

RUN_TESTS("collapse", shows_all_calls_without_collapse, collapses_direct_recursion_in_every_degree,
	collapses_fully_as_the_guide_says, collapses_a_routine_that_calls_itself,
	loses_no_name_when_conservative, searches_what_is_above_after_the_jumps,
	keeps_first_encounter_order_across_branches, makes_one_stub_for_many_recursions,
	keeps_what_was_met_but_weighs_nothing, collapses_nothing_to_nothing,
	keeps_large_and_small_values_exactly, agrees_with_the_rules_on_random_stacks,
	keeps_exclusive_values_in_every_degree, collapses_stacks_as_deep_as_they_come)
