/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callgraph/components.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/*
 * Tarjan's search.  A function gets a number when it is visited; `low` is the smallest number that
 * it is known to reach among the functions whose component is not complete.  Those wait on the
 * stack `waiting`.  A function that reaches no smaller number than its own completes a component:
 * all functions that wait from there on.
 */
struct search {
	const struct prof_components *components;
	uint32_t *low;    /* by function; PROF_NONE: not visited */
	uint32_t *number; /* by function */
	uint32_t *waiting;
	uint32_t *path; /* the path from where the search began to where it is */
	bool *complete; /* by function: its component is complete */
	uint32_t visited;
	size_t depth, waits;
};

static void search_deinit(struct search *search)
{
	free(search->low);
	free(search->number);
	free(search->waiting);
	free(search->path);
	free(search->complete);
}

static bool search_init(struct search *search)
{
	size_t functions = search->components->functions;

	search->low = malloc((functions + 1) * sizeof *search->low);
	search->number = malloc((functions + 1) * sizeof *search->number);
	search->waiting = malloc((functions + 1) * sizeof *search->waiting);
	search->path = malloc((functions + 1) * sizeof *search->path);
	search->complete = calloc(functions + 1, sizeof *search->complete);
	if (!search->low || !search->number || !search->waiting || !search->path ||
		!search->complete)
		return false;
	for (size_t i = 0; i < functions; i++)
		search->low[i] = PROF_NONE;
	return true;
}

static void visit(struct search *search, uint32_t function)
{
	search->low[function] = search->number[function] = search->visited++;
	search->waiting[search->waits++] = function;
	search->path[search->depth++] = function;
}

/* Completes the component that begins with FUNCTION. */
static void complete(struct search *search, uint32_t function)
{
	size_t end = search->waits;

	do
		search->complete[search->waiting[--search->waits]] = true;
	while (search->waiting[search->waits] != function);
	search->components->found(
		search->components->context, &search->waiting[search->waits], end - search->waits);
}

/* Visits all functions that are reachable from FUNCTION. */
static void search_from(struct search *search, uint32_t function)
{
	const struct prof_components *components = search->components;

	visit(search, function);
	while (search->depth) {
		uint32_t at = search->path[search->depth - 1];
		uint32_t callee =
			components->callee(components->context, at, &components->next[at]);
		if (callee != PROF_NONE) {
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

struct prof_error *prof_components_find(const struct prof_components *components)
{
	PROF_AUTO(search_deinit) struct search search = {.components = components};

	if (!search_init(&search))
		return prof_error_nomem();
	for (uint32_t i = 0; i < components->functions; i++) {
		if (search.low[i] == PROF_NONE)
			search_from(&search, i);
	}
	return NULL;
}
