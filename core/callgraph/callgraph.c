/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "callgraph/build.h"
#include "metric/pairs.h"

#include <stdlib.h>

struct prof_error *prof_callgraph_create(const struct prof_experiment *experiment,
	const struct prof_metric *metric, size_t functions, const struct prof_pairs *pairs,
	const struct prof_cycles *cycles, struct prof_callgraph **ret)
{
	struct prof_callgraph *graph = calloc(1, sizeof *graph);

	if (!graph)
		return prof_error_nomem();
	graph->experiment = experiment;
	graph->metric = metric;
	graph->functions = functions;
	if (!prof_array_reserve(&graph->entries, functions + cycles->count) ||
		!prof_array_reserve(&graph->arcs, pairs->list.count)) {
		prof_callgraph_destroy(graph);
		return prof_error_nomem();
	}
	for (uint32_t i = 0; i < functions; i++)
		graph->entries.items[graph->entries.count++] = (struct prof_graph_entry){
			.function = i, .cycle = cycles->of[i], .known = PROF_KNOWN_ALL};
	for (uint32_t i = 0; i < cycles->count; i++)
		graph->entries.items[graph->entries.count++] = (struct prof_graph_entry){
			.function = PROF_NONE, .cycle = i + 1, .known = PROF_KNOWN_ALL};
	for (size_t i = 0; i < pairs->list.count; i++) {
		struct prof_graph_arc arc = {
			.caller = pairs->list.items[i].caller,
			.callee = pairs->list.items[i].callee,
		};
		arc.inside = arc.caller != PROF_NONE &&
			prof_callgraph_group(graph, arc.caller) ==
				prof_callgraph_group(graph, arc.callee);
		graph->arcs.items[graph->arcs.count++] = arc;
	}
	*ret = graph;
	return NULL;
}

void prof_callgraph_destroy(struct prof_callgraph *graph)
{
	if (!graph)
		return;
	free(graph->entries.items);
	free(graph->arcs.items);
	free(graph->cycle_callers.items);
	free(graph->cycle_callees.items);
	free(graph);
}

/* Counts the calls along ARC at its callee. */
static void count_calls(struct prof_callgraph *graph, const struct prof_graph_arc *arc)
{
	struct prof_graph_entry *callee = &graph->entries.items[arc->callee];

	if (!arc->inside)
		callee->calls += arc->calls;
	else if (arc->caller == arc->callee)
		callee->recursive += arc->calls;
	else
		callee->inside += arc->calls;
	if (arc->caller == PROF_NONE)
		callee->spontaneous = true;
}

void prof_callgraph_count(struct prof_callgraph *graph)
{
	for (size_t i = 0; i < graph->arcs.count; i++)
		count_calls(graph, &graph->arcs.items[i]);
	for (uint32_t i = 0; i < graph->functions; i++) {
		const struct prof_graph_entry *member = &graph->entries.items[i];
		struct prof_graph_entry *cycle =
			&graph->entries.items[prof_callgraph_group(graph, i)];
		graph->total += member->self;
		if (cycle == member)
			continue;
		cycle->self += member->self;
		cycle->calls += member->calls;
		cycle->recursive += member->recursive + member->inside;
		cycle->spontaneous |= member->spontaneous;
		cycle->seen |= member->seen;
	}
}

void prof_callgraph_charge(struct prof_callgraph *graph, const struct prof_graph_arc *arc)
{
	prof_value time = arc->self + arc->children;

	if (arc->inside || arc->caller == PROF_NONE)
		return;
	graph->entries.items[arc->caller].children += time;
	if (graph->entries.items[arc->caller].cycle)
		graph->entries.items[prof_callgraph_group(graph, arc->caller)].children += time;
}

/*
 * Adds ARC to the callers of its callee's cycle or, if CALLEES, to the callees of its caller's.
 * LINES numbers those.
 */
static struct prof_error *add_line(struct prof_callgraph *graph, const struct prof_graph_arc *arc,
	bool callees, struct prof_pairs *lines)
{
	uint32_t caller = callees ? prof_callgraph_group(graph, arc->caller) : arc->caller;
	uint32_t callee = callees ? arc->callee : prof_callgraph_group(graph, arc->callee);
	uint32_t end = callees ? arc->caller : arc->callee;
	uint32_t number;

	if (arc->inside || !graph->entries.items[end].cycle)
		return NULL;
	struct prof_error *error = prof_pairs_add(lines, caller, callee, &number);
	if (error)
		return error;

	__typeof__(graph->arcs) *list = callees ? &graph->cycle_callees : &graph->cycle_callers;
	if (number == list->count) {
		struct prof_graph_arc *line = prof_array_push(list);
		if (!line)
			return prof_error_nomem();
		*line = (struct prof_graph_arc){.caller = caller, .callee = callee};
	}
	list->items[number].self += arc->self;
	list->items[number].children += arc->children;
	list->items[number].calls += arc->calls;
	return NULL;
}

struct prof_error *prof_callgraph_finish(struct prof_callgraph *graph)
{
	AUTO_PAIRS struct prof_pairs callers = {0};
	AUTO_PAIRS struct prof_pairs callees = {0};
	size_t kept = 0;

	for (size_t i = 0; i < graph->arcs.count; i++) {
		struct prof_graph_arc arc = graph->arcs.items[i];
		if (arc.caller == PROF_NONE)
			continue;
		graph->arcs.items[kept++] = arc;
		struct prof_error *error = add_line(graph, &arc, false, &callers);
		if (!error)
			error = add_line(graph, &arc, true, &callees);
		if (error)
			return error;
	}
	graph->arcs.count = kept;
	return NULL;
}
