/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Divides the times of functions among their callers as GNU gprof does. */
#include "callgraph/gnu.h"

#include <stdlib.h>

/* Callees first. */
static int compare_order(const void *left, const void *right, void *context)
{
	const struct prof_gnu *gnu = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	uint32_t one = gnu->symbols.items[a].order;
	uint32_t other = gnu->symbols.items[b].order;

	return one != other ? (one < other ? -1 : 1) : (a > b) - (a < b);
}

/*
 * Adds to HEAD, a cycle or a function in no cycle, what its MEMBER gets from callers outside:
 * whether it is printed, and which fraction of its time counts.
 */
static void inherit(struct prof_gnu *gnu, struct prof_gnu_symbol *head, uint32_t member)
{
	uint32_t number = gnu->symbols.items[member].callers;

	for (; number != PROF_NONE; number = gnu->arcs.items[number].next_caller) {
		const struct prof_gnu_arc *arc = &gnu->arcs.items[number];
		const struct prof_gnu_symbol *caller = &gnu->symbols.items[arc->caller];
		if (arc->caller == member || &gnu->symbols.items[caller->head] == head)
			continue;
		head->shown |= caller->shown;
		if (head->calls)
			head->fraction +=
				caller->fraction * ((double)arc->calls / (double)head->calls);
	}
}

/* All callers of HEAD's cycle or function have been visited, so its fraction is final. */
static void inherit_all(struct prof_gnu *gnu, uint32_t number)
{
	struct prof_gnu_symbol *head = &gnu->symbols.items[number];

	head->shown = false;
	head->fraction = 0;
	if (head->place) {
		inherit(gnu, head, number);
		return;
	}
	for (uint32_t i = head->next; i != PROF_NONE; i = gnu->symbols.items[i].next)
		inherit(gnu, head, i);
	for (uint32_t i = head->next; i != PROF_NONE; i = gnu->symbols.items[i].next) {
		gnu->symbols.items[i].shown = head->shown;
		gnu->symbols.items[i].fraction = head->fraction;
	}
}

/* What the user has named overrides what follows from the callers. */
static void decide(struct prof_gnu *gnu, uint32_t number)
{
	struct prof_gnu_symbol *symbol = &gnu->symbols.items[number];
	uint8_t chosen = gnu->chosen[number];

	if (!symbol->shown)
		symbol->shown = prof_gnu_is_wanted(gnu, number, PROF_GNU_ONLY, PROF_GNU_WITHOUT);
	else if (!(chosen & 1 << PROF_GNU_ONLY) && chosen & 1 << PROF_GNU_WITHOUT)
		symbol->shown = false;
	if (symbol->fraction == 0)
		symbol->fraction =
			prof_gnu_is_wanted(gnu, number, PROF_GNU_ONLY_TIME, PROF_GNU_WITHOUT_TIME);
	else if (!(chosen & 1 << PROF_GNU_ONLY_TIME) && chosen & 1 << PROF_GNU_WITHOUT_TIME)
		symbol->fraction = 0;
	symbol->self = symbol->time * symbol->fraction;
	gnu->counted += symbol->self;
}

static void share_fractions(struct prof_gnu *gnu, const uint32_t *order)
{
	uint32_t done = PROF_NONE;

	for (size_t i = gnu->places; i-- > 0;) {
		uint32_t head = gnu->symbols.items[order[i]].head;
		if (head != done)
			inherit_all(gnu, head);
		done = head;
		decide(gnu, order[i]);
	}
}

/* A cycle's time is that of its members, without those that are excluded. */
static void add_members(struct prof_gnu *gnu)
{
	for (size_t i = gnu->places; i < gnu->symbols.count; i++) {
		struct prof_gnu_symbol *cycle = &gnu->symbols.items[i];
		for (uint32_t j = cycle->next; j != PROF_NONE; j = gnu->symbols.items[j].next) {
			if (gnu->symbols.items[j].fraction != 0)
				cycle->time += gnu->symbols.items[j].time;
		}
		cycle->self = cycle->fraction * cycle->time;
	}
}

/* Adds to CALLER its fraction of the time of ARC's callee, or of the callee's whole cycle. */
static void charge(struct prof_gnu *gnu, struct prof_gnu_symbol *caller, struct prof_gnu_arc *arc)
{
	const struct prof_gnu_symbol *callee = &gnu->symbols.items[arc->callee];

	if (!arc->calls || arc->callee == arc->caller || callee->fraction == 0 ||
		(callee->cycle && callee->cycle == caller->cycle))
		return;
	callee = &gnu->symbols.items[callee->head];
	if (!callee->calls)
		return;
	arc->time = callee->time * ((double)arc->calls / (double)callee->calls);
	arc->child_time = callee->child_time * ((double)arc->calls / (double)callee->calls);
	double share = arc->time + arc->child_time;
	double counted = caller->fraction * share;
	caller->child_time += share;
	caller->child += counted;
	arc->time *= caller->fraction;
	arc->child_time *= caller->fraction;
	if (!caller->cycle)
		return;
	struct prof_gnu_symbol *cycle = &gnu->symbols.items[caller->head];
	cycle->child_time += share;
	cycle->child += counted;
}

static void share_times(struct prof_gnu *gnu, const uint32_t *order)
{
	for (size_t i = 0; i < gnu->places; i++) {
		struct prof_gnu_symbol *caller = &gnu->symbols.items[order[i]];
		uint32_t arc = caller->fraction == 0 ? PROF_NONE : caller->callees;
		for (; arc != PROF_NONE; arc = gnu->arcs.items[arc].next_callee)
			charge(gnu, caller, &gnu->arcs.items[arc]);
	}
}

struct prof_error *prof_gnu_propagate(struct prof_gnu *gnu)
{
	AUTO_FREE uint32_t *order = malloc((gnu->places + 1) * sizeof *order);

	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < gnu->places; i++)
		order[i] = i;
	qsort_r(order, gnu->places, sizeof *order, compare_order, gnu);
	share_fractions(gnu, order);
	add_members(gnu);
	share_times(gnu, order);
	return NULL;
}
