/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/functions.h"

#include "metric_stacks.h"

enum { DEEP = 100000 };

static struct prof_functions *create(struct stacks *stacks)
{
	struct prof_functions *functions;

	ck_assert_ok(prof_functions_create(stacks_profile(stacks), &functions));
	prof_functions_check(functions);
	return functions;
}

/* Half units: VALUE(15) is 7.5. */
#define VALUE(halves) ((prof_value)(halves)*PROF_VALUE_ONE / 2)

/* Fails unless NAME has these values, in halves. */
static void expect(struct stacks *stacks, const struct prof_functions *functions, const char *name,
	int exclusive, int inclusive)
{
	uint32_t function = stacks_function(stacks, name);

	ck_assert_value(functions->exclusive[function], VALUE(exclusive));
	ck_assert_value(functions->inclusive[function], VALUE(inclusive));
	ck_assert(functions->seen[function]);
}

/* Line LINE of FOCUS in the COUNT attributions LIST; there have to be LINES. */
static const struct prof_attribution *line(struct stacks *stacks,
	const struct prof_attribution *list, size_t count, const char *focus, size_t lines,
	size_t at)
{
	size_t length;
	const struct prof_attribution *of =
		prof_functions_of(list, count, stacks_function(stacks, focus), &length);

	ck_assert_uint_eq(length, lines);
	return of + at;
}

#define expect_line(list, focus, lines, at, name, halves)                                         \
	do {                                                                                      \
		const struct prof_attribution *line_ = line(                                      \
			&stacks, functions->list.items, functions->list.count, focus, lines, at); \
		ck_assert_uint_eq(                                                                \
			line_->other, *(name) ? stacks_function(&stacks, (name)) : PROF_NONE);    \
		ck_assert_value(line_->value, VALUE(halves));                                     \
	} while (0)

/* The call tree of Figure 2-1 in Sun's guide. */
static void add_figure(struct stacks *stacks)
{
	stacks_add(stacks, "main A C", VALUE(4));
	stacks_add(stacks, "main A C E", VALUE(8));
	stacks_add(stacks, "main A C F", VALUE(2));
	stacks_add(stacks, "main A C F G", VALUE(6));
	stacks_add(stacks, "main", VALUE(4));
	for (int i = 0; i < 2; i++) {
		stacks_add(stacks, "main B C", VALUE(3));
		stacks_add(stacks, "main B C E", VALUE(6));
		stacks_add(stacks, "main B C F", VALUE(2));
		stacks_add(stacks, "main B C F G", VALUE(4));
		if (!i)
			stacks_add(stacks, "main B", VALUE(10));
	}
}

START_TEST(shows_figure_2_1)
{
	AUTO_STACKS struct stacks stacks = {0};

	add_figure(&stacks);
	struct prof_functions *functions = create(&stacks);
	ck_assert_value(functions->total, VALUE(64));
	expect(&stacks, functions, "main", 4, 64);
	expect(&stacks, functions, "A", 0, 20);
	expect(&stacks, functions, "B", 10, 40);
	expect(&stacks, functions, "C", 10, 50);
	expect(&stacks, functions, "E", 20, 20);
	expect(&stacks, functions, "F", 6, 20);
	expect(&stacks, functions, "G", 14, 14);
	expect_line(callers, "main", 1, 0, "", 64);
	expect_line(callees, "main", 2, 0, "A", 20);
	expect_line(callees, "main", 2, 1, "B", 40);
	expect_line(callers, "C", 2, 0, "A", 20);
	expect_line(callers, "C", 2, 1, "B", 30);
	expect_line(callees, "C", 2, 0, "E", 20);
	expect_line(callees, "C", 2, 1, "F", 20);
	expect_line(callees, "A", 1, 0, "C", 20);
	expect_line(callees, "B", 1, 0, "C", 30);
	prof_functions_destroy(functions);
}
END_TEST

START_TEST(attributes_direct_recursion_to_the_last_call)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "main r r r", VALUE(2));
	struct prof_functions *functions = create(&stacks);
	expect(&stacks, functions, "main", 0, 2);
	expect(&stacks, functions, "r", 2, 2);
	expect_line(callers, "r", 2, 0, "main", 0);
	expect_line(callers, "r", 2, 1, "r", 2);
	expect_line(callees, "r", 1, 0, "r", 0);
	/* The one that started it shows all of it. */
	expect_line(callees, "main", 1, 0, "r", 2);
	prof_functions_destroy(functions);
}
END_TEST

START_TEST(attributes_as_gprofng_does)
{
	AUTO_STACKS struct stacks stacks = {0};

	/* The program `rec`, whose figures gprofng has printed, in 10 ms. */
	stacks_add(&stacks, "main r r r s work", VALUE(10));
	stacks_add(&stacks, "main r r r work", VALUE(10));
	stacks_add(&stacks, "main r r work", VALUE(12));
	stacks_add(&stacks, "main r r s work", VALUE(10));
	stacks_add(&stacks, "main r s work", VALUE(10));
	stacks_add(&stacks, "main r work", VALUE(8));
	stacks_add(&stacks, "main ping pong ping pong ping work", VALUE(26));
	struct prof_functions *functions = create(&stacks);
	ck_assert_value(functions->total, VALUE(86));
	expect(&stacks, functions, "work", 86, 86);
	expect(&stacks, functions, "main", 0, 86);
	expect(&stacks, functions, "ping", 0, 26);
	expect(&stacks, functions, "pong", 0, 26);
	expect(&stacks, functions, "r", 0, 60);
	expect(&stacks, functions, "s", 0, 30);
	expect_line(callers, "work", 3, 0, "s", 30);
	expect_line(callers, "work", 3, 1, "r", 30);
	expect_line(callers, "work", 3, 2, "ping", 26);
	expect_line(callees, "main", 2, 0, "r", 60);
	expect_line(callees, "main", 2, 1, "ping", 26);
	expect_line(callers, "ping", 2, 0, "main", 0);
	expect_line(callers, "ping", 2, 1, "pong", 26);
	expect_line(callees, "ping", 2, 0, "pong", 0);
	expect_line(callees, "ping", 2, 1, "work", 26);
	expect_line(callers, "pong", 1, 0, "ping", 26);
	expect_line(callees, "pong", 1, 0, "ping", 26);
	expect_line(callers, "r", 2, 0, "main", 18);
	expect_line(callers, "r", 2, 1, "r", 42);
	expect_line(callees, "r", 3, 0, "r", 0);
	expect_line(callees, "r", 3, 1, "s", 30);
	expect_line(callees, "r", 3, 2, "work", 30);
	prof_functions_destroy(functions);
}
END_TEST

START_TEST(knows_functions_that_are_in_no_stack)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_function(&stacks, "never");
	stacks_add(&stacks, "main", 0);
	struct prof_functions *functions = create(&stacks);
	ck_assert_uint_eq(functions->count, 2);
	ck_assert(!functions->seen[0]);
	ck_assert(functions->seen[1]);
	line(&stacks, functions->callers.items, functions->callers.count, "never", 0, 0);
	prof_functions_destroy(functions);
}
END_TEST

START_TEST(makes_nothing_of_nothing)
{
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_functions *functions = create(&stacks);

	ck_assert_uint_eq(functions->count, 0);
	ck_assert_value(functions->total, 0);
	prof_functions_destroy(functions);
}
END_TEST

START_TEST(adds_up_large_and_small_values_exactly)
{
	AUTO_STACKS struct stacks stacks = {0};
	prof_value large = prof_value_of(INT64_C(1) << 53);

	stacks_add(&stacks, "main a", large + 1);
	stacks_add(&stacks, "main b a", large + 2);
	stacks_add(&stacks, "main a a", 4);
	struct prof_functions *functions = create(&stacks);
	ck_assert_value(functions->total, 2 * large + 7);
	ck_assert_value(functions->inclusive[stacks_function(&stacks, "a")], 2 * large + 7);
	ck_assert_value(
		line(&stacks, functions->callers.items, functions->callers.count, "a", 3, 0)->value,
		large + 1);
	prof_functions_destroy(functions);
}
END_TEST

/* The rules as they stand, stack by stack. */
enum { ALPHABET = 8 };

struct plain {
	prof_value exclusive[ALPHABET], inclusive[ALPHABET];
	/* Of the focus; the one more is nobody. */
	prof_value callers[ALPHABET][ALPHABET + 1], callees[ALPHABET][ALPHABET + 1];
};

static void plain_add(struct plain *plain, const struct stack *stack)
{
	for (uint32_t f = 0; f < ALPHABET; f++) {
		size_t at = stack->depth;
		while (at > 0 && stack->functions[at - 1] != f)
			at--;
		if (!at--)
			continue;
		plain->inclusive[f] += stack->value;
		plain->callers[f][at ? stack->functions[at - 1] : ALPHABET] += stack->value;
		if (at + 1 < stack->depth)
			plain->callees[f][stack->functions[at + 1]] += stack->value;
		else
			plain->exclusive[f] += stack->value;
	}
}

START_TEST(agrees_with_the_rules_on_random_stacks)
{
	for (uint64_t seed = 0; seed < 5000; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		stacks_add_random(&stacks, seed);
		struct prof_functions *functions = create(&stacks);
		struct plain plain = {0};
		for (size_t i = 0; i < stacks.list.count; i++)
			plain_add(&plain, &stacks.list.items[i]);
		for (size_t f = 0; f < functions->count; f++) {
			ck_assert_value(functions->exclusive[f], plain.exclusive[f]);
			ck_assert_value(functions->inclusive[f], plain.inclusive[f]);
		}
		/* What is left after taking away each line is nothing, so no line is missing. */
		for (size_t i = 0; i < functions->callers.count; i++) {
			const struct prof_attribution *a = &functions->callers.items[i];
			uint32_t other = a->other == PROF_NONE ? ALPHABET : a->other;
			ck_assert_value(a->value, plain.callers[a->focus][other]);
			plain.callers[a->focus][other] = 0;
		}
		for (size_t i = 0; i < functions->callees.count; i++) {
			const struct prof_attribution *a = &functions->callees.items[i];
			ck_assert_value(a->value, plain.callees[a->focus][a->other]);
			plain.callees[a->focus][a->other] = 0;
		}
		for (size_t f = 0; f < ALPHABET; f++)
			for (size_t other = 0; other <= ALPHABET; other++)
				ck_assert(!plain.callers[f][other] && !plain.callees[f][other]);
		prof_functions_destroy(functions);
	}
}
END_TEST

START_TEST(walks_stacks_as_deep_as_they_come)
{
	AUTO_STACKS struct stacks stacks = {0};
	uint32_t *deep = malloc(DEEP * sizeof *deep);

	ck_assert_ptr_nonnull(deep);
	for (uint32_t i = 0; i < DEEP; i++)
		deep[i] = i % 1000;
	stacks_push(&stacks, deep, DEEP, PROF_VALUE_ONE);
	struct prof_functions *functions = create(&stacks);
	ck_assert_value(functions->inclusive[0], PROF_VALUE_ONE);
	ck_assert_value(functions->exclusive[999], PROF_VALUE_ONE);
	prof_functions_destroy(functions);
	free(deep);
}
END_TEST

RUN_TESTS("functions", shows_figure_2_1, attributes_direct_recursion_to_the_last_call,
	attributes_as_gprofng_does, knows_functions_that_are_in_no_stack, makes_nothing_of_nothing,
	adds_up_large_and_small_values_exactly, agrees_with_the_rules_on_random_stacks,
	walks_stacks_as_deep_as_they_come)
