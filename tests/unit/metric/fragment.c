/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/fragment.h"

#include "metric/functions.h"
#include "metric_stacks.h"

#include <stdio.h>

enum { DEEP = 100000 };

/* The fragment of COUNT functions. */
static struct prof_fragment *create_of(
	const struct prof_profile *profile, const uint32_t *functions, size_t count)
{
	struct prof_fragment *fragment;
	bool may[8][8] = {0};
	const bool *parts[8];

	for (size_t i = 0; i < count; i++) {
		may[i][functions[i]] = true;
		parts[i] = may[i];
	}
	const struct prof_fragment_request request = {parts, count};
	ck_assert_ok(prof_fragment_create(profile, &request, &fragment));
	prof_fragment_check(fragment);
	return fragment;
}

/* The fragment of the functions in TEXT, one space apart, in the stacks that were added. */
static struct prof_fragment *create(
	struct stacks *stacks, const struct prof_profile *profile, const char *text)
{
	uint32_t parts[8];
	size_t count = 0;
	char *words = strdup(text);

	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		parts[count++] = stacks_function(stacks, word);
	free(words);
	return create_of(profile, parts, count);
}

/* What the fragment TEXT has, as "main 90, r 60 | 0 | s 150": its callers, itself, its callees. */
static char *describe(struct stacks *stacks, const struct prof_profile *profile, const char *text)
{
	struct prof_fragment *fragment = create(stacks, profile, text);
	char *described = calloc(1, 4096);
	char value[PROF_VALUE_TEXT];

	for (int side = 0; side < 2; side++) {
		size_t count = side ? fragment->callees.count : fragment->callers.count;
		for (size_t i = 0; i < count; i++) {
			const struct prof_attribution *line =
				&(side ? fragment->callees : fragment->callers).items[i];
			sprintf(described + strlen(described), "%s%s %s", i ? ", " : "",
				line->other == PROF_NONE ? "-" : stacks->names[line->other],
				prof_value_print(line->value, 1, value));
		}
		if (!side)
			sprintf(described + strlen(described), " | %s | ",
				prof_value_print(fragment->exclusive, 1, value));
	}
	prof_fragment_destroy(fragment);
	return described;
}

#define expect(text, expected)                                   \
	do {                                                     \
		char *found_ = describe(&stacks, profile, text); \
		ck_assert_str_eq(found_, expected);              \
		free(found_);                                    \
	} while (0)

/* The program `rec` of gprofng's example, in ms. */
static void add_recursive(struct stacks *stacks)
{
	stacks_add(stacks, "start main r r r s work", prof_value_of(50));
	stacks_add(stacks, "start main r r r work", prof_value_of(50));
	stacks_add(stacks, "start main r r work", prof_value_of(60));
	stacks_add(stacks, "start main r r s work", prof_value_of(50));
	stacks_add(stacks, "start main r s work", prof_value_of(50));
	stacks_add(stacks, "start main r work", prof_value_of(40));
	stacks_add(stacks, "start main ping pong ping pong ping work", prof_value_of(130));
}

START_TEST(is_one_function_as_gprofng_shows_it)
{
	AUTO_STACKS struct stacks stacks = {0};

	add_recursive(&stacks);
	const struct prof_profile *profile = stacks_profile(&stacks);
	expect("work", "s 150, r 150, ping 130 | 430 | ");
	expect("start", "- 430 | 0 | main 430");
	expect("main", "start 430 | 0 | r 300, ping 130");
	expect("ping", "main 0, pong 130 | 0 | pong 0, work 130");
	expect("pong", "ping 130 | 0 | ping 130");
	expect("r", "main 90, r 210 | 0 | r 0, s 150, work 150");
	expect("s", "r 150 | 0 | work 150");
}
END_TEST

START_TEST(is_several_functions_in_a_row)
{
	AUTO_STACKS struct stacks stacks = {0};

	add_recursive(&stacks);
	const struct prof_profile *profile = stacks_profile(&stacks);
	expect("r s", "r 100, main 50 | 0 | work 150");
	expect("main r s", "start 50 | 0 | work 50");
	expect("main r", "start 300 | 0 | r 210, s 50, work 40");
	expect("r work", "r 110, main 40 | 150 | ");
	expect("s work", "r 150 | 150 | ");
	expect("start main", "- 430 | 0 | r 300, ping 130");
}
END_TEST

START_TEST(counts_the_innermost_occurrence)
{
	AUTO_STACKS struct stacks stacks = {0};

	add_recursive(&stacks);
	const struct prof_profile *profile = stacks_profile(&stacks);
	/* The occurrences overlap: r r r has two, of which the second has r for its caller. */
	expect("r r", "main 110, r 100 | 0 | r 0, s 100, work 110");
	expect("main r r", "start 210 | 0 | r 100, work 60, s 50");
	expect("ping pong ping", "main 0, pong 130 | 0 | pong 0, work 130");
	expect("pong ping", "ping 130 | 0 | pong 0, work 130");
}
END_TEST

START_TEST(may_be_in_no_stack)
{
	AUTO_STACKS struct stacks stacks = {0};

	add_recursive(&stacks);
	const struct prof_profile *profile = stacks_profile(&stacks);
	struct prof_fragment *fragment = create(&stacks, profile, "s r");
	ck_assert(!fragment->seen);
	ck_assert_value(fragment->inclusive, 0);
	prof_fragment_destroy(fragment);
	/* A row that is longer than any stack, and reaches above the outermost function. */
	fragment = create(&stacks, profile, "work start");
	ck_assert(!fragment->seen);
	prof_fragment_destroy(fragment);
}
END_TEST

START_TEST(takes_some_functions_for_one)
{
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_fragment *fragment;

	stacks_add(&stacks, "main init x", prof_value_of(1));
	stacks_add(&stacks, "main init2 x", prof_value_of(2));
	const struct prof_profile *profile = stacks_profile(&stacks);
	static const bool init[] = {false, true, false, true}, x[] = {false, false, true, false};
	static const bool *const parts[] = {init, x};
	const struct prof_fragment_request request = {parts, 2};
	ck_assert_ok(prof_fragment_create(profile, &request, &fragment));
	prof_fragment_check(fragment);
	ck_assert_value(fragment->exclusive, prof_value_of(3));
	ck_assert_uint_eq(fragment->callers.count, 1);
	prof_fragment_destroy(fragment);
}
END_TEST

/* The rule as it stands, stack by stack: what is left in the lines is to be nothing. */
static void check_plainly(struct stacks *stacks, const struct prof_profile *profile,
	const uint32_t *parts, size_t count)
{
	struct prof_fragment *fragment = create_of(profile, parts, count);
	prof_value callers[8] = {0}, callees[8] = {0}, exclusive = 0;
	bool seen = false;

	for (size_t i = 0; i < stacks->list.count; i++) {
		const struct stack *stack = &stacks->list.items[i];
		size_t end = stack->depth;
		while (end >= count &&
			memcmp(stack->functions + end - count, parts, count * sizeof *parts) != 0)
			end--;
		if (end < count)
			continue;
		seen = true;
		callers[end > count ? stack->functions[end - count - 1] : 7] += stack->value;
		if (end < stack->depth)
			callees[stack->functions[end]] += stack->value;
		else
			exclusive += stack->value;
	}
	ck_assert_int_eq(seen, fragment->seen);
	ck_assert_value(fragment->exclusive, exclusive);
	for (size_t i = 0; i < fragment->callers.count; i++) {
		uint32_t other = fragment->callers.items[i].other;
		callers[other == PROF_NONE ? 7 : other] -= fragment->callers.items[i].value;
	}
	for (size_t i = 0; i < fragment->callees.count; i++)
		callees[fragment->callees.items[i].other] -= fragment->callees.items[i].value;
	for (size_t i = 0; i < PROF_COUNT(callers); i++)
		ck_assert(!callers[i] && !callees[i]);
	prof_fragment_destroy(fragment);
}

START_TEST(agrees_with_the_rule_on_random_stacks)
{
	for (uint64_t seed = 0; seed < 5000; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		uint64_t state = seed;
		uint32_t parts[3];
		stacks_add_random(&stacks, seed);
		const struct prof_profile *profile = stacks_profile(&stacks);
		for (size_t count = 1; count <= PROF_COUNT(parts); count++) {
			for (size_t i = 0; i < count; i++)
				parts[i] = stacks_random(&state, 3);
			check_plainly(&stacks, profile, parts, count);
		}
	}
}
END_TEST

START_TEST(walks_stacks_as_deep_as_they_come)
{
	AUTO_STACKS struct stacks stacks = {0};
	uint32_t *deep = calloc(DEEP, sizeof *deep);

	ck_assert_ptr_nonnull(deep);
	stacks_push(&stacks, deep, DEEP, PROF_VALUE_ONE);
	const uint32_t parts[] = {0, 0};
	check_plainly(&stacks, stacks_profile(&stacks), parts, 2);
	free(deep);
}
END_TEST

RUN_TESTS("fragment", is_one_function_as_gprofng_shows_it, is_several_functions_in_a_row,
	counts_the_innermost_occurrence, may_be_in_no_stack, takes_some_functions_for_one,
	agrees_with_the_rule_on_random_stacks, walks_stacks_as_deep_as_they_come)
