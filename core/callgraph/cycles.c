/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callgraph/cycles.h"

#include "base/map.h"
#include "callgraph/components.h"
#include "metric/pairs.h"

#include <stdlib.h>

struct search {
	struct prof_cycles *cycles;
	size_t *next;      /* by function: the next of its callees to look at */
	size_t *end;       /* by function: the end of its callees */
	uint32_t *callees; /* by caller, one after another */
	uint32_t *numbers; /* by function that a cycle begins with: the cycle's number */
	uint32_t ranked;
};

static void search_deinit(struct search *search)
{
	free(search->next);
	free(search->end);
	free(search->callees);
	free(search->numbers);
}

/* Sorts the callees of PAIRS by caller. */
static void fill_callees(struct search *search, size_t functions, const struct prof_pairs *pairs)
{
	const struct prof_pair *list = pairs->list.items;
	size_t start = 0;

	for (size_t i = 0; i < pairs->list.count; i++) {
		if (list[i].caller != PROF_NONE)
			search->end[list[i].caller]++;
	}
	for (size_t i = 0; i < functions; i++) {
		search->next[i] = start;
		start += search->end[i];
		search->end[i] = search->next[i];
	}
	for (size_t i = 0; i < pairs->list.count; i++) {
		if (list[i].caller != PROF_NONE)
			search->callees[search->end[list[i].caller]++] = list[i].callee;
	}
}

static bool search_init(struct search *search, size_t functions, const struct prof_pairs *pairs)
{
	search->next = calloc(functions + 1, sizeof *search->next);
	search->end = calloc(functions + 1, sizeof *search->end);
	search->callees = malloc((pairs->list.count + 1) * sizeof *search->callees);
	search->numbers = calloc(functions + 1, sizeof *search->numbers);
	if (!search->next || !search->end || !search->callees || !search->numbers)
		return false;
	fill_callees(search, functions, pairs);
	return true;
}

static uint32_t next_callee(void *context, uint32_t function, size_t *place)
{
	const struct search *search = context;

	return *place < search->end[function] ? search->callees[(*place)++] : PROF_NONE;
}

/* Ranks the members of a component, after the components that they call. */
static void rank_members(void *context, const uint32_t *members, size_t count)
{
	struct search *search = context;

	for (size_t i = count; i-- > 0;) {
		search->cycles->rank[members[i]] = search->ranked++;
		/* A temporary mark for the members; number_cycles() replaces it. */
		search->cycles->of[members[i]] = count > 1 ? members[0] + 1 : 0;
	}
}

/* Turns the marks that rank_members() left into numbers; NUMBER is all zeroes at first. */
static void number_cycles(struct prof_cycles *cycles, size_t functions, uint32_t *number)
{
	for (size_t i = 0; i < functions; i++) {
		uint32_t mark = cycles->of[i];
		if (!mark)
			continue;
		if (!number[mark - 1])
			number[mark - 1] = (uint32_t)++cycles->count;
		cycles->of[i] = number[mark - 1];
	}
}

struct prof_error *prof_cycles_init(
	struct prof_cycles *cycles, size_t functions, const struct prof_pairs *pairs)
{
	PROF_AUTO(search_deinit) struct search search = {.cycles = cycles};

	*cycles = (struct prof_cycles){0};
	cycles->of = calloc(functions + 1, sizeof *cycles->of);
	cycles->rank = calloc(functions + 1, sizeof *cycles->rank);
	struct prof_error *error =
		cycles->of && cycles->rank && search_init(&search, functions, pairs)
		? NULL
		: prof_error_nomem();
	const struct prof_components components = {
		(uint32_t)functions, search.next, next_callee, rank_members, &search};
	if (!error)
		error = prof_components_find(&components);
	if (error) {
		prof_cycles_deinit(cycles);
		return error;
	}
	number_cycles(cycles, functions, search.numbers);
	return NULL;
}

void prof_cycles_deinit(struct prof_cycles *cycles)
{
	free(cycles->of);
	free(cycles->rank);
	*cycles = (struct prof_cycles){0};
}
