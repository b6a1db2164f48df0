/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests expect of a call graph, in hundredths of a unit. */
#ifndef PROF_TESTS_METRIC_CALLGRAPH_H
#define PROF_TESTS_METRIC_CALLGRAPH_H

#include "callgraph/callgraph.h"
#include "metric_stacks.h"

/* HUNDREDTHS of a unit. */
static inline prof_value cents(int64_t hundredths)
{
	return prof_value_of(hundredths) / 100;
}

/* Fails unless VALUE, rounded to hundredths, is HUNDREDTHS of a unit. */
#define ck_assert_cents(value, hundredths) \
	ck_assert_value((prof_value_scale((value), 100, PROF_VALUE_ONE)), (hundredths))

/* The number of the entry NAME, "<cycle 1>" being one of a cycle. */
static inline uint32_t entry_number(
	struct stacks *stacks, const struct prof_callgraph *graph, const char *name)
{
	if (*name != '<')
		return stacks_function(stacks, name);
	uint32_t cycle = (uint32_t)strtoul(strchr(name, ' '), NULL, 10);
	ck_assert_uint_le(graph->functions + cycle, graph->entries.count);
	return (uint32_t)graph->functions + cycle - 1;
}

/* Fails unless the entry NAME has these times, in hundredths, and calls, in units. */
static inline void expect_entry(struct stacks *stacks, const struct prof_callgraph *graph,
	const char *name, int self, int children, int calls, int recursive, int inside)
{
	const struct prof_graph_entry *entry =
		&graph->entries.items[entry_number(stacks, graph, name)];

	ck_assert_cents(entry->self, self);
	ck_assert_cents(entry->children, children);
	ck_assert_value(entry->calls, prof_value_of(calls));
	ck_assert_value(entry->recursive, prof_value_of(recursive));
	ck_assert_value(entry->inside, prof_value_of(inside));
	ck_assert(entry->seen);
}

/* The arc from CALLER to CALLEE in the COUNT arcs of LIST, which has to be there. */
static inline const struct prof_graph_arc *find_arc(
	const struct prof_graph_arc *list, size_t count, uint32_t caller, uint32_t callee)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].caller == caller && list[i].callee == callee)
			return &list[i];
	ck_abort_msg("There is no arc from %u to %u.", caller, callee);
}

/* Fails unless the arc from CALLER to CALLEE has these times and calls; a line of a cycle as well.
 */
static inline void expect_arc(struct stacks *stacks, const struct prof_callgraph *graph,
	const char *caller, const char *callee, int self, int children, int calls)
{
	uint32_t ends[] = {
		entry_number(stacks, graph, caller), entry_number(stacks, graph, callee)};
	const struct prof_graph_arc *arc;

	if (*caller == '<')
		arc = find_arc(
			graph->cycle_callees.items, graph->cycle_callees.count, ends[0], ends[1]);
	else if (*callee == '<')
		arc = find_arc(
			graph->cycle_callers.items, graph->cycle_callers.count, ends[0], ends[1]);
	else
		arc = find_arc(graph->arcs.items, graph->arcs.count, ends[0], ends[1]);
	ck_assert(!arc->inside);
	ck_assert_cents(arc->self, self);
	ck_assert_cents(arc->children, children);
	ck_assert_value(arc->calls, prof_value_of(calls));
}

/* The same for an arc inside of a cycle, or of a function to itself. */
static inline void expect_inside(struct stacks *stacks, const struct prof_callgraph *graph,
	const char *caller, const char *callee, int calls)
{
	const struct prof_graph_arc *arc = find_arc(graph->arcs.items, graph->arcs.count,
		stacks_function(stacks, caller), stacks_function(stacks, callee));

	ck_assert(arc->inside);
	ck_assert_value(arc->calls, prof_value_of(calls));
}

/* Fails unless the entry NAME is in CYCLE. */
static inline void expect_cycle(
	struct stacks *stacks, const struct prof_callgraph *graph, const char *name, uint32_t cycle)
{
	ck_assert_uint_eq(graph->entries.items[stacks_function(stacks, name)].cycle, cycle);
}

static inline bool is_spontaneous(
	struct stacks *stacks, const struct prof_callgraph *graph, const char *name)
{
	return graph->entries.items[entry_number(stacks, graph, name)].spontaneous;
}

#endif
