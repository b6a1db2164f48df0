/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The cycles of calls as GNU gprof finds them, with one search from each symbol in turn.
 *
 * A symbol on the search's path that is called again closes a cycle: all on the path behind it join
 * it, with the members that they have themselves.  The order in which members join is that of the
 * list, in which times are added up later.
 */
#include "callgraph/gnu.h"

#include <stdlib.h>

/* States of a symbol's `order` before the search is done with it. */
enum { UNSEEN, BUSY, FIRST };

struct search {
	struct prof_gnu *gnu;
	uint32_t *path; /* symbols, from where the search began to where it is */
	uint32_t *next; /* by place on the path: the next arc to follow */
	size_t depth;
	uint32_t ordered; /* so many numbers of order were given */
};

static void search_deinit(struct search *search)
{
	free(search->path);
	free(search->next);
}

static struct prof_gnu_symbol *at(struct search *search, uint32_t symbol)
{
	return &search->gnu->symbols.items[symbol];
}

static void enter(struct search *search, uint32_t symbol)
{
	at(search, symbol)->order = BUSY;
	search->next[search->depth] = at(search, symbol)->callees;
	search->path[search->depth++] = symbol;
}

/* The symbol is done with; those of a cycle once all are, with its first member. */
static void leave(struct search *search)
{
	uint32_t symbol = search->path[--search->depth];

	if (at(search, symbol)->head != symbol)
		return;
	uint32_t order = FIRST + search->ordered++;
	for (uint32_t i = symbol; i != PROF_NONE; i = at(search, i)->next)
		at(search, i)->order = order;
}

static uint32_t last_member(struct search *search, uint32_t symbol)
{
	while (at(search, symbol)->next != PROF_NONE)
		symbol = at(search, symbol)->next;
	return symbol;
}

/* CALLEE, which is called from the path's end, is on it, or of a cycle whose head is. */
static void close_cycle(struct search *search, uint32_t callee)
{
	uint32_t of = at(search, callee)->head;
	size_t top = search->depth - 1;

	while (search->path[top] != callee && search->path[top] != of)
		top--;
	if (top == search->depth - 1)
		return; /* it calls itself, or its head: nothing is between them */

	uint32_t head = at(search, search->path[top])->head;
	uint32_t tail = last_member(search, head);
	for (size_t i = top + 1; i < search->depth; i++) {
		uint32_t joining = search->path[i];
		if (at(search, joining)->head != joining)
			continue;
		at(search, tail)->next = joining;
		for (uint32_t j = joining; j != PROF_NONE; j = at(search, j)->next) {
			at(search, j)->head = head;
			tail = j;
		}
	}
}

static void search_from(struct search *search, uint32_t symbol)
{
	enter(search, symbol);
	while (search->depth) {
		uint32_t arc = search->next[search->depth - 1];
		if (arc == PROF_NONE) {
			leave(search);
			continue;
		}
		uint32_t callee = search->gnu->arcs.items[arc].callee;
		search->next[search->depth - 1] = search->gnu->arcs.items[arc].next_callee;
		if (at(search, callee)->order == UNSEEN)
			enter(search, callee);
		else if (at(search, callee)->order == BUSY)
			close_cycle(search, callee);
	}
}

/* The calls of a cycle: by its members of each other, and from outside. */
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

/* Calls of a function by itself are told apart. */
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
	PROF_AUTO(search_deinit) struct search search = {.gnu = gnu};

	search.path = malloc((gnu->places + 1) * sizeof *search.path);
	search.next = malloc((gnu->places + 1) * sizeof *search.next);
	if (!search.path || !search.next)
		return prof_error_nomem();
	split_calls(gnu);
	for (uint32_t i = 0; i < gnu->places; i++) {
		if (gnu->symbols.items[i].order == UNSEEN)
			search_from(&search, i);
	}
	return add_cycles(gnu);
}
