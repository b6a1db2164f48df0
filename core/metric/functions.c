/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/functions.h"

#include "base/search.h"
#include "metric/calltree.h"
#include "metric/items.h"
#include "metric/pairs.h"
#include "metric/profile.h"
#include "metric/walk.h"

#include <assert.h>
#include <stdlib.h>

/* The results of the walk over a profile's tree. */
struct totals {
	const struct prof_profile *profile;
	struct prof_functions *functions;
	struct prof_pairs pairs;
	uint32_t *pair;      /* by node of the tree: see prof_pairs_of_tree() */
	uint32_t *innermost; /* by function: its innermost node on the walk's path */
	uint32_t *above; /* by node on the walk's path: the nearest ancestor of the same function */
	prof_value *of_caller; /* by pair: the part of the callee's inclusive metric that came from
				  the caller */
	prof_value *of_callee; /* by pair: the part of the caller's inclusive metric that went to
				  the callee */
};

static void totals_deinit(struct totals *totals)
{
	prof_pairs_deinit(&totals->pairs);
	free(totals->pair);
	free(totals->innermost);
	free(totals->above);
	free(totals->of_caller);
	free(totals->of_callee);
}

static struct prof_error *totals_init(struct totals *totals)
{
	const struct prof_calltree *tree = &totals->profile->tree;
	size_t count = totals->functions->count;
	struct prof_error *error = prof_pairs_of_tree(&totals->pairs, tree, &totals->pair);

	if (error)
		return error;
	size_t pairs = totals->pairs.list.count;
	totals->innermost = malloc((count + 1) * sizeof *totals->innermost);
	totals->above = malloc(tree->nodes.count * sizeof *totals->above);
	totals->of_caller = calloc(pairs + 1, sizeof *totals->of_caller);
	totals->of_callee = calloc(pairs + 1, sizeof *totals->of_callee);
	if (!totals->innermost || !totals->above || !totals->of_caller || !totals->of_callee)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++)
		totals->innermost[i] = PROF_NONE;
	return NULL;
}

/*
 * The innermost occurrence of NODE's function in the stacks through NODE is at NODE or below: they
 * count here, and no longer at the occurrence above.
 */
static void enter(struct totals *totals, const struct prof_walk *walk, uint32_t node)
{
	struct prof_functions *functions = totals->functions;
	uint32_t function = totals->profile->tree.nodes.items[node].function;
	prof_value inclusive = totals->profile->inclusive[node];
	uint32_t above = totals->innermost[function];

	functions->exclusive[function] += totals->profile->self[node];
	totals->of_caller[totals->pair[node]] += inclusive;
	totals->of_callee[totals->pair[node]] += inclusive;
	if (above == PROF_NONE) {
		functions->seen[function] = true;
		functions->inclusive[function] += inclusive;
	} else {
		uint32_t below = prof_walk_below(walk, above);
		totals->of_caller[totals->pair[above]] -= inclusive;
		totals->of_callee[totals->pair[below]] -= inclusive;
	}
	totals->above[node] = above;
	totals->innermost[function] = node;
}

static void leave(struct totals *totals, uint32_t node)
{
	uint32_t function = totals->profile->tree.nodes.items[node].function;

	totals->innermost[function] = totals->above[node];
}

/*
 * The pairs' VALUES as attributions of the callees to their callers (BY_CALLEE) or of the callers
 * to their callees: sorted by focus, in a new array of *LENGTH.
 */
static struct prof_error *sort(const struct totals *totals, const prof_value *values,
	bool by_callee, struct prof_attribution **ret, size_t *length)
{
	const struct prof_pair *pairs = totals->pairs.list.items;
	size_t count = totals->pairs.list.count;
	size_t functions = totals->functions->count;
	AUTO_FREE size_t *next = calloc(functions + 1, sizeof *next);
	AUTO_FREE struct prof_attribution *sorted = malloc((count + 1) * sizeof *sorted);

	if (!next || !sorted)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++) {
		uint32_t focus = by_callee ? pairs[i].callee : pairs[i].caller;
		if (focus != PROF_NONE)
			next[focus + 1]++;
	}
	for (size_t i = 0; i < functions; i++)
		next[i + 1] += next[i];
	*length = next[functions];
	for (size_t i = 0; i < count; i++) {
		uint32_t focus = by_callee ? pairs[i].callee : pairs[i].caller;
		uint32_t other = by_callee ? pairs[i].caller : pairs[i].callee;
		if (focus != PROF_NONE)
			sorted[next[focus]++] = (struct prof_attribution){focus, other, values[i]};
	}
	*ret = steal(&sorted);
	return NULL;
}

static struct prof_error *fill(struct totals *totals)
{
	struct prof_functions *functions = totals->functions;
	AUTO_WALK struct prof_walk walk = {0};
	struct prof_error *error = totals_init(totals);

	if (!error)
		error = prof_walk_init(&walk, &totals->profile->tree);
	if (error)
		return error;
	while (prof_walk_next(&walk)) {
		if (!walk.node)
			continue;
		if (walk.entering)
			enter(totals, &walk, walk.node);
		else
			leave(totals, walk.node);
	}
	error = sort(totals, totals->of_caller, true, &functions->callers.items,
		&functions->callers.count);
	if (!error)
		error = sort(totals, totals->of_callee, false, &functions->callees.items,
			&functions->callees.count);
	functions->callers.capacity = functions->callers.count;
	functions->callees.capacity = functions->callees.count;
	return error;
}

/* The costs of calls: by pair; and by item, what came from callers, and what went to callees. */
struct costs {
	struct prof_pairs pairs;
	PROF_ARRAY(prof_value) values;
	prof_value *in, *out;
};

static void costs_deinit(struct costs *costs)
{
	prof_pairs_deinit(&costs->pairs);
	free(costs->values.items);
	free(costs->in);
	free(costs->out);
}

/* Adds VALUE to the pair of CALLER and CALLEE. */
static struct prof_error *add_cost(
	struct costs *costs, uint32_t caller, uint32_t callee, prof_value value)
{
	uint32_t pair;
	struct prof_error *error = prof_pairs_add(&costs->pairs, caller, callee, &pair);

	if (error)
		return error;
	if (pair == costs->values.count) {
		prof_value *added = prof_array_push(&costs->values);
		if (!added)
			return prof_error_nomem();
		*added = 0;
	}
	costs->values.items[pair] += value;
	if (caller == callee)
		return NULL;
	costs->in[callee] += value;
	if (caller != PROF_NONE)
		costs->out[caller] += value;
	return NULL;
}

/* Finds the inclusive metric: at most the total, which sums over recursive calls exceed. */
static void add_inclusive(const struct costs *costs, const struct prof_profile *profile,
	struct prof_functions *functions)
{
	bool whole = profile->items->kind == PROF_KIND_FUNCTIONS ||
		profile->items->kind == PROF_KIND_OBJECTS;

	for (size_t i = 0; i < functions->count; i++) {
		prof_value exclusive = functions->exclusive[i];
		prof_value inclusive = whole ? costs->in[i] : exclusive + costs->out[i];
		/* Functions that call each other in a circle may have no other caller. */
		if (inclusive < exclusive)
			inclusive = exclusive;
		if (inclusive > functions->total)
			inclusive = functions->total;
		functions->inclusive[i] = inclusive;
		functions->seen[i] |= inclusive != 0;
	}
}

/* Takes callers and callees from the costs of calls; exclusive metrics are known already. */
static struct prof_error *fill_costs(
	const struct prof_profile *profile, struct prof_functions *functions)
{
	PROF_AUTO(costs_deinit) struct costs costs = {0};
	struct totals totals = {.profile = profile, .functions = functions};
	struct prof_error *error = NULL;

	costs.in = calloc(functions->count + 1, sizeof *costs.in);
	costs.out = calloc(functions->count + 1, sizeof *costs.out);
	if (!costs.in || !costs.out)
		return prof_error_nomem();
	for (size_t i = 0; !error && i < profile->calls.count; i++) {
		const struct prof_profile_call *call = &profile->calls.items[i];
		error = add_cost(&costs, call->caller, call->callee, call->value);
	}
	if (error)
		return error;
	add_inclusive(&costs, profile, functions);
	free(functions->callers.items);
	free(functions->callees.items);
	functions->callers.items = functions->callees.items = NULL;
	totals.pairs = costs.pairs;
	error = sort(&totals, costs.values.items, true, &functions->callers.items,
		&functions->callers.count);
	if (!error)
		error = sort(&totals, costs.values.items, false, &functions->callees.items,
			&functions->callees.count);
	return error;
}

struct prof_error *prof_functions_create(
	const struct prof_profile *profile, struct prof_functions **ret)
{
	struct prof_functions *functions = calloc(1, sizeof *functions);
	PROF_AUTO(totals_deinit)
	struct totals totals = {.profile = profile, .functions = functions};
	struct prof_error *error = NULL;

	if (!functions)
		return prof_error_nomem();
	size_t count = prof_items_count(profile->items);
	functions->count = count;
	functions->total = profile->inclusive[0];
	functions->exclusive = calloc(count + 1, sizeof *functions->exclusive);
	functions->inclusive = calloc(count + 1, sizeof *functions->inclusive);
	functions->seen = calloc(count + 1, sizeof *functions->seen);
	if (functions->exclusive && functions->inclusive && functions->seen)
		error = fill(&totals);
	else
		error = prof_error_nomem();
	if (!error && profile->calls.count)
		error = fill_costs(profile, functions);
	if (error) {
		prof_functions_destroy(functions);
		return error;
	}
	*ret = functions;
	return NULL;
}

void prof_functions_destroy(struct prof_functions *functions)
{
	if (!functions)
		return;
	free(functions->exclusive);
	free(functions->inclusive);
	free(functions->seen);
	free(functions->callers.items);
	free(functions->callees.items);
	free(functions);
}

const struct prof_attribution *prof_functions_of(
	const struct prof_attribution *attributions, size_t count, uint32_t focus, size_t *length)
{
	size_t first;

	PROF_SEARCH(first, count, i, attributions[i].focus < focus);
	size_t end = first;
	while (end < count && attributions[end].focus == focus)
		end++;
	*length = end - first;
	return attributions + first;
}

/* The sum of FOCUS's ATTRIBUTIONS. */
static prof_value sum(const struct prof_attribution *attributions, size_t count, uint32_t focus)
{
	size_t length;
	const struct prof_attribution *of = prof_functions_of(attributions, count, focus, &length);
	prof_value value = 0;

	for (size_t i = 0; i < length; i++)
		value += of[i].value;
	return value;
}

void prof_functions_check(const struct prof_functions *functions)
{
	prof_value exclusive = 0;

	for (uint32_t i = 0; i < functions->count; i++) {
		prof_value callers = sum(functions->callers.items, functions->callers.count, i);
		prof_value callees = sum(functions->callees.items, functions->callees.count, i);
		assert(callers == functions->inclusive[i]);
		assert(callees + functions->exclusive[i] == functions->inclusive[i]);
		assert(functions->seen[i] || !functions->inclusive[i]);
		exclusive += functions->exclusive[i];
	}
	assert(exclusive == functions->total);
	for (size_t i = 1; i < functions->callers.count; i++)
		assert(functions->callers.items[i - 1].focus <= functions->callers.items[i].focus);
	for (size_t i = 1; i < functions->callees.count; i++)
		assert(functions->callees.items[i - 1].focus <= functions->callees.items[i].focus);
}
