/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The cycles of calls as GNU gprof numbers them.
 *
 * It searches from each symbol in turn, in the order of its arcs.  When it meets a symbol that is
 * already on its path, it has found a cycle: all symbols behind that one on the path join it, with
 * the members that they already have.  Members are in the order in which the search meets them, and
 * times are added in that order.
 */
#include "callgraph/components.h"
#include "callgraph/gnu.h"

#include <stdlib.h>

struct search {
	struct prof_gnu *gnu;
	uint32_t ordered; /* how many order numbers have been given */
};

/* Places are arcs, each of which leads to the next one of its caller. */
static uint32_t next_callee(void *context, uint32_t symbol, size_t *place)
{
	const struct search *search = context;

	(void)symbol;
	if (*place == PROF_NONE)
		return PROF_NONE;
	const struct prof_gnu_arc *arc = &search->gnu->arcs.items[*place];
	*place = arc->next_callee;
	return arc->callee;
}

/* Lists the members, which have the same order number, behind the one that the search met first. */
static void list_members(void *context, const uint32_t *members, size_t count)
{
	struct search *search = context;
	uint32_t order = ++search->ordered;

	for (size_t i = 0; i < count; i++) {
		struct prof_gnu_symbol *symbol = &search->gnu->symbols.items[members[i]];
		symbol->order = order;
		symbol->head = members[0];
		symbol->next = i + 1 < count ? members[i + 1] : PROF_NONE;
	}
}

/* Counts the calls of a cycle: between its members, and from outside. */
static void count_calls(struct prof_gnu *gnu, uint32_t whole)
{
	struct prof_gnu_symbol *cycle = &gnu->symbols.items[whole];

	for (uint32_t i = cycle->next; i != PROF_NONE; i = gnu->symbols.items[i].next) {
		uint32_t arc = gnu->symbols.items[i].callers;
		for (; arc != PROF_NONE; arc = gnu->arcs.items[arc].next_caller) {
			uint32_t caller = gnu->arcs.items[arc].caller;
			if (caller == i)
				continue;
			if (gnu->symbols.items[caller].cycle == cycle->cycle)
				cycle->selfcalls += gnu->arcs.items[arc].calls;
			else
				cycle->calls += gnu->arcs.items[arc].calls;
		}
	}
}

/* Makes a symbol of the cycle that begins with FIRST. */
static void add_cycle(struct prof_gnu *gnu, uint32_t first)
{
	uint32_t whole = (uint32_t)gnu->symbols.count++;
	uint32_t number = (uint32_t)++gnu->cycles;

	gnu->symbols.items[whole] = (struct prof_gnu_symbol){
		.shown = true,
		.cycle = number,
		.head = whole,
		.next = first,
		.callers = PROF_NONE,
		.callees = PROF_NONE,
	};
	for (uint32_t i = first; i != PROF_NONE; i = gnu->symbols.items[i].next) {
		gnu->symbols.items[i].cycle = number;
		gnu->symbols.items[i].head = whole;
	}
	count_calls(gnu, whole);
}

static struct prof_error *add_cycles(struct prof_gnu *gnu)
{
	size_t cycles = 0;

	for (uint32_t i = 0; i < gnu->places; i++)
		cycles +=
			gnu->symbols.items[i].head == i && gnu->symbols.items[i].next != PROF_NONE;
	if (!prof_array_reserve(&gnu->symbols, cycles))
		return prof_error_nomem();
	for (uint32_t i = 0; i < gnu->places; i++) {
		if (gnu->symbols.items[i].head == i && gnu->symbols.items[i].next != PROF_NONE)
			add_cycle(gnu, i);
	}
	return NULL;
}

/* Recursive calls are counted separately. */
static void split_calls(struct prof_gnu *gnu)
{
	for (size_t i = 0; i < gnu->arcs.count; i++) {
		const struct prof_gnu_arc *arc = &gnu->arcs.items[i];
		struct prof_gnu_symbol *symbol = &gnu->symbols.items[arc->callee];
		if (arc->caller != arc->callee)
			continue;
		symbol->calls -= arc->calls;
		symbol->selfcalls = arc->calls;
	}
}

struct prof_error *prof_gnu_find_cycles(struct prof_gnu *gnu)
{
	struct search search = {.gnu = gnu};
	AUTO_FREE size_t *next = malloc((gnu->places + 1) * sizeof *next);

	if (!next)
		return prof_error_nomem();
	split_calls(gnu);
	for (size_t i = 0; i < gnu->places; i++)
		next[i] = gnu->symbols.items[i].callees;
	const struct prof_components components = {
		(uint32_t)gnu->places, next, next_callee, list_members, &search};
	struct prof_error *error = prof_components_find(&components);
	return error ? error : add_cycles(gnu);
}
