/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks as tests write them, and the profile of them: "main r s" is a stack of three functions. */
#ifndef PROF_TESTS_METRIC_STACKS_H
#define PROF_TESTS_METRIC_STACKS_H

#include "metric/metric.h"
#include "metric/profile.h"
#include "model/experiment.h"
#include "suite.h"

#include <string.h>

enum { STACKS_NAMES = 32 };

struct stack {
	uint32_t *functions; /* outermost first */
	size_t depth;
	prof_value value;
};

/* All zeroes is none.  The tests of the metrics need no more of an experiment than its functions.
 */
struct stacks {
	PROF_ARRAY(struct stack) list;
	struct prof_experiment experiment;
	struct prof_profile profile;
	char names[STACKS_NAMES][16];
};

static inline void stacks_deinit(struct stacks *stacks)
{
	for (size_t i = 0; i < stacks->list.count; i++)
		free(stacks->list.items[i].functions);
	free(stacks->list.items);
	prof_calltree_deinit(&stacks->profile.tree);
	free(stacks->profile.self);
	free(stacks->profile.inclusive);
	*stacks = (struct stacks){0};
}
#define AUTO_STACKS PROF_AUTO(stacks_deinit)

/* The function NAME, numbered in the order of first use. */
static inline uint32_t stacks_function(struct stacks *stacks, const char *name)
{
	uint32_t i = 0;

	while (stacks->names[i][0] && strcmp(stacks->names[i], name))
		ck_assert_uint_lt(++i, STACKS_NAMES);
	ck_assert_uint_lt(strlen(name), sizeof stacks->names[i]);
	memcpy(stacks->names[i], name, strlen(name) + 1);
	if (stacks->experiment.functions.count <= i)
		stacks->experiment.functions.count = i + 1;
	return i;
}

/* Adds a stack of DEPTH FUNCTIONS with VALUE. */
static inline void stacks_push(
	struct stacks *stacks, const uint32_t *functions, size_t depth, prof_value value)
{
	struct stack *stack = prof_array_push(&stacks->list);

	ck_assert_ptr_nonnull(stack);
	*stack = (struct stack){malloc((depth + 1) * sizeof *functions), depth, value};
	ck_assert_ptr_nonnull(stack->functions);
	for (size_t i = 0; i < depth; i++) {
		stack->functions[i] = functions[i];
		if (stacks->experiment.functions.count <= functions[i])
			stacks->experiment.functions.count = functions[i] + 1;
	}
}

/* Adds a stack of the names in TEXT, one space apart. */
static inline void stacks_add(struct stacks *stacks, const char *text, prof_value value)
{
	uint32_t functions[64];
	size_t depth = 0;

	while (*text) {
		char name[16] = "";
		size_t length = strcspn(text, " ");
		ck_assert_uint_lt(length, sizeof name);
		ck_assert_uint_lt(depth, PROF_COUNT(functions));
		memcpy(name, text, length);
		functions[depth++] = stacks_function(stacks, name);
		text += length + (text[length] == ' ');
	}
	stacks_push(stacks, functions, depth, value);
}

/* The profile of the stacks that were added, to be called once; borrowed. */
static inline const struct prof_profile *stacks_profile(struct stacks *stacks)
{
	struct prof_profile *profile = &stacks->profile;
	size_t count = stacks->list.count;
	uint32_t *nodes = calloc(count + 1, sizeof *nodes);

	ck_assert_ptr_nonnull(nodes);
	profile->experiment = &stacks->experiment;
	profile->metric = prof_metrics;
	prof_items_init(&profile->functions, &stacks->experiment, PROF_KIND_FUNCTIONS, true);
	profile->items = &profile->functions;
	ck_assert_ok(prof_calltree_init(&profile->tree));
	for (size_t i = 0; i < count; i++)
		ck_assert_ok(prof_calltree_add(&profile->tree, stacks->list.items[i].functions,
			stacks->list.items[i].depth, &nodes[i]));
	profile->self = calloc(profile->tree.nodes.count, sizeof *profile->self);
	profile->inclusive = calloc(profile->tree.nodes.count, sizeof *profile->inclusive);
	ck_assert(profile->self && profile->inclusive);
	for (size_t i = 0; i < count; i++) {
		profile->self[nodes[i]] += stacks->list.items[i].value;
		profile->inclusive[nodes[i]] += stacks->list.items[i].value;
	}
	prof_calltree_accumulate(&profile->tree, profile->inclusive);
	prof_calltree_check(&profile->tree);
	free(nodes);
	return profile;
}

/* A number below LIMIT, the same ones for the same *SEED. */
static inline uint32_t stacks_random(uint64_t *seed, uint32_t limit)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % limit;
}

/*
 * Adds random stacks, the case SEED: few functions, so that they call each other and themselves in
 * all ways; common beginnings; some values that are 0, and some with decimals.
 */
static inline void stacks_add_random(struct stacks *stacks, uint64_t seed)
{
	uint32_t functions[16];
	uint32_t alphabet = 1 + stacks_random(&seed, 7);
	uint32_t count = 1 + stacks_random(&seed, 12);
	size_t depth = 0;

	for (uint32_t i = 0; i < count; i++) {
		depth = depth ? stacks_random(&seed, (uint32_t)depth) : 0;
		size_t end = depth + 1 + stacks_random(&seed, 10);
		for (; depth < end && depth < PROF_COUNT(functions); depth++)
			functions[depth] = stacks_random(&seed, alphabet);
		stacks_push(stacks, functions, depth,
			(prof_value)stacks_random(&seed, 5) * (PROF_VALUE_ONE / 2 + 1));
	}
}

/* Fails unless the values are equal. */
#define ck_assert_value(value, expected)                                       \
	do {                                                                   \
		char texts_[2][PROF_VALUE_TEXT];                               \
		prof_value value_ = (value);                                   \
		prof_value expected_ = (expected);                             \
		ck_assert_msg(value_ == expected_, "%s is %s, not %s", #value, \
			prof_value_print(value_, 1, texts_[0]),                \
			prof_value_print(expected_, 1, texts_[1]));            \
	} while (0)

#endif
