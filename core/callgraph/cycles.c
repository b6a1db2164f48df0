/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callgraph/cycles.h"

#include <stdbool.h>
#include <stdlib.h>

/*
 * Tarjan's search.  A function is visited once, and gets a number then; `low` is the smallest
 * number that it is known to reach among the functions whose component is not complete.  Those wait
 * on the stack `waiting`.  A function that reaches nothing smaller than itself completes a
 * component: all that waits from there on.
 */
struct search {
	struct prof_cycles *cycles;
	size_t *next;      /* by function: the next of its callees to look at */
	size_t *end;       /* by function: the end of its callees */
	uint32_t *callees; /* by caller, one after another */
	uint32_t *low;     /* by function; PROF_NONE: not visited */
	uint32_t *number;  /* by function */
	uint32_t *waiting;
	uint32_t *path; /* from where the search began to where it is */
	bool *complete; /* by function: its component is */
	size_t visited, depth, waits;
	uint32_t ranked;
};

static void search_deinit(struct search *search)
{
	free(search->next);
	free(search->end);
	free(search->callees);
	free(search->low);
	free(search->number);
	free(search->waiting);
	free(search->path);
	free(search->complete);
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

static struct prof_error *search_init(
	struct search *search, size_t functions, const struct prof_pairs *pairs)
{
	search->next = calloc(functions + 1, sizeof *search->next);
	search->end = calloc(functions + 1, sizeof *search->end);
	search->callees = malloc((pairs->list.count + 1) * sizeof *search->callees);
	search->low = malloc((functions + 1) * sizeof *search->low);
	search->number = malloc((functions + 1) * sizeof *search->number);
	search->waiting = malloc((functions + 1) * sizeof *search->waiting);
	search->path = malloc((functions + 1) * sizeof *search->path);
	search->complete = calloc(functions + 1, sizeof *search->complete);
	if (!search->next || !search->end || !search->callees || !search->low || !search->number ||
		!search->waiting || !search->path || !search->complete)
		return prof_error_nomem();
	for (size_t i = 0; i < functions; i++)
		search->low[i] = PROF_NONE;
	fill_callees(search, functions, pairs);
	return NULL;
}

static void visit(struct search *search, uint32_t function)
{
	search->low[function] = search->number[function] = (uint32_t)search->visited++;
	search->waiting[search->waits++] = function;
	search->path[search->depth++] = function;
}

/* The component that begins with FUNCTION is complete, and ranked after those that it calls. */
static void complete(struct search *search, uint32_t function)
{
	bool cycle = search->waiting[search->waits - 1] != function;
	uint32_t member;

	do {
		member = search->waiting[--search->waits];
		search->complete[member] = true;
		search->cycles->rank[member] = search->ranked++;
		/* A mark only, by which the members are known until cycles get their numbers. */
		search->cycles->of[member] = cycle ? search->number[function] + 1 : 0;
	} while (member != function);
}

/* Visits all that is reached from FUNCTION. */
static void search_from(struct search *search, uint32_t function)
{
	visit(search, function);
	while (search->depth) {
		uint32_t at = search->path[search->depth - 1];
		if (search->next[at] < search->end[at]) {
			uint32_t callee = search->callees[search->next[at]++];
			if (search->low[callee] == PROF_NONE)
				visit(search, callee);
			else if (!search->complete[callee] &&
				search->number[callee] < search->low[at])
				search->low[at] = search->number[callee];
			continue;
		}
		if (search->low[at] == search->number[at])
			complete(search, at);
		search->depth--;
		if (!search->depth)
			break;
		uint32_t caller = search->path[search->depth - 1];
		if (search->low[at] < search->low[caller])
			search->low[caller] = search->low[at];
	}
}

/* Turns the marks that complete() left into numbers; NUMBER has room for one per mark. */
static void number_cycles(struct prof_cycles *cycles, size_t functions, uint32_t *number)
{
	for (size_t i = 0; i < functions; i++)
		number[i] = 0;
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
	struct prof_error *error = search_init(&search, functions, pairs);

	*cycles = (struct prof_cycles){0};
	if (error)
		return error;
	cycles->of = calloc(functions + 1, sizeof *cycles->of);
	cycles->rank = calloc(functions + 1, sizeof *cycles->rank);
	if (!cycles->of || !cycles->rank) {
		prof_cycles_deinit(cycles);
		return prof_error_nomem();
	}
	for (uint32_t i = 0; i < functions; i++) {
		if (search.low[i] == PROF_NONE)
			search_from(&search, i);
	}
	number_cycles(cycles, functions, search.low);
	return NULL;
}

void prof_cycles_deinit(struct prof_cycles *cycles)
{
	free(cycles->of);
	free(cycles->rank);
	*cycles = (struct prof_cycles){0};
}
