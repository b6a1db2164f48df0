/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callgraph/cycles.h"

#include "metric/pairs.h"
#include "metric_stacks.h"

enum { ALPHABET = 10, MANY = 100000 };

static void add(struct prof_pairs *pairs, uint32_t caller, uint32_t callee)
{
	uint32_t number;

	ck_assert_ok(prof_pairs_add(pairs, caller, callee, &number));
}

START_TEST(finds_functions_that_reach_each_other)
{
	AUTO_PAIRS struct prof_pairs pairs = {0};
	AUTO_CYCLES struct prof_cycles cycles;

	/* a and b, b and c call each other: one cycle.  d only calls itself. */
	add(&pairs, PROF_NONE, 0);
	add(&pairs, 0, 1);
	add(&pairs, 1, 2);
	add(&pairs, 2, 1);
	add(&pairs, 2, 3);
	add(&pairs, 3, 2);
	add(&pairs, 3, 4);
	add(&pairs, 4, 4);
	ck_assert_ok(prof_cycles_init(&cycles, 5, &pairs));
	ck_assert_uint_eq(cycles.count, 1);
	ck_assert_uint_eq(cycles.of[0], 0);
	ck_assert_uint_eq(cycles.of[1], 1);
	ck_assert_uint_eq(cycles.of[2], 1);
	ck_assert_uint_eq(cycles.of[3], 1);
	ck_assert_uint_eq(cycles.of[4], 0);
}
END_TEST

START_TEST(numbers_cycles_by_their_smallest_function)
{
	AUTO_PAIRS struct prof_pairs pairs = {0};
	AUTO_CYCLES struct prof_cycles cycles;

	/* The one with 0 is found last. */
	add(&pairs, 0, 4);
	add(&pairs, 4, 0);
	add(&pairs, 0, 1);
	add(&pairs, 1, 3);
	add(&pairs, 3, 1);
	ck_assert_ok(prof_cycles_init(&cycles, 5, &pairs));
	ck_assert_uint_eq(cycles.count, 2);
	ck_assert_uint_eq(cycles.of[0], 1);
	ck_assert_uint_eq(cycles.of[4], 1);
	ck_assert_uint_eq(cycles.of[1], 2);
	ck_assert_uint_eq(cycles.of[3], 2);
	ck_assert_uint_eq(cycles.of[2], 0);
}
END_TEST

START_TEST(finds_none_among_no_functions)
{
	AUTO_PAIRS struct prof_pairs pairs = {0};
	AUTO_CYCLES struct prof_cycles cycles;

	ck_assert_ok(prof_cycles_init(&cycles, 0, &pairs));
	ck_assert_uint_eq(cycles.count, 0);
}
END_TEST

/* Fails unless CYCLES is right for the functions that REACH each other as said. */
static void expect(const struct prof_cycles *cycles, bool reach[ALPHABET][ALPHABET])
{
	uint32_t numbers = 0;
	bool ranked[ALPHABET] = {false};

	for (uint32_t i = 0; i < ALPHABET; i++) {
		uint32_t smallest = PROF_NONE;
		for (uint32_t j = 0; j < ALPHABET; j++)
			if (j != i && reach[i][j] && reach[j][i] && smallest == PROF_NONE)
				smallest = j;
		if (smallest == PROF_NONE)
			ck_assert_uint_eq(cycles->of[i], 0);
		else if (smallest < i)
			ck_assert_uint_eq(cycles->of[i], cycles->of[smallest]);
		else
			ck_assert_uint_eq(cycles->of[i], ++numbers);
		ck_assert_uint_lt(cycles->rank[i], ALPHABET);
		ck_assert(!ranked[cycles->rank[i]]);
		ranked[cycles->rank[i]] = true;
		for (uint32_t j = 0; j < ALPHABET; j++)
			if (reach[i][j] && !reach[j][i])
				ck_assert_uint_lt(cycles->rank[j], cycles->rank[i]);
	}
	ck_assert_uint_eq(cycles->count, numbers);
}

START_TEST(agrees_with_reachability_on_random_graphs)
{
	for (uint64_t seed = 0; seed < 5000; seed++) {
		AUTO_PAIRS struct prof_pairs pairs = {0};
		AUTO_CYCLES struct prof_cycles cycles;
		bool reach[ALPHABET][ALPHABET] = {{false}};
		uint64_t state = seed;
		for (uint32_t i = stacks_random(&state, 25); i > 0; i--) {
			uint32_t caller = stacks_random(&state, ALPHABET);
			uint32_t callee = stacks_random(&state, ALPHABET);
			add(&pairs, caller, callee);
			reach[caller][callee] = true;
		}
		for (int k = 0; k < ALPHABET; k++)
			for (int i = 0; i < ALPHABET; i++)
				for (int j = 0; j < ALPHABET; j++)
					reach[i][j] |= reach[i][k] && reach[k][j];
		ck_assert_ok(prof_cycles_init(&cycles, ALPHABET, &pairs));
		expect(&cycles, reach);
	}
}
END_TEST

START_TEST(finds_a_cycle_of_many_functions)
{
	AUTO_PAIRS struct prof_pairs pairs = {0};
	AUTO_CYCLES struct prof_cycles cycles;

	for (uint32_t i = 0; i < MANY; i++)
		add(&pairs, i, (i + 1) % MANY);
	ck_assert_ok(prof_cycles_init(&cycles, MANY, &pairs));
	ck_assert_uint_eq(cycles.count, 1);
	for (uint32_t i = 0; i < MANY; i++)
		ck_assert_uint_eq(cycles.of[i], 1);
}
END_TEST

RUN_TESTS("cycles", finds_functions_that_reach_each_other,
	numbers_cycles_by_their_smallest_function, finds_none_among_no_functions,
	agrees_with_reachability_on_random_graphs, finds_a_cycle_of_many_functions)
