/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The call graph from call counts, as gprof makes it: the time that the calls from each caller took
 * is not known, so a function's time is divided among its callers in proportion to their calls.
 */
#include "base/error.h"
#include "callgraph/build.h"
#include "metric/pairs.h"
#include "model/experiment.h"

#include <assert.h>
#include <stdlib.h>

/*
 * The share of VALUE that belongs to calls FROM + 1 to TO of CALLS.  The ends are rounded and not
 * the shares, so that the shares of all calls add up to VALUE.
 */
static prof_value share(prof_value value, prof_value from, prof_value to, prof_value calls)
{
	return prof_value_scale(value, to, calls) - prof_value_scale(value, from, calls);
}

/* A new array of GRAPH's arcs in an order in which a function follows those that it calls. */
static uint32_t *sort_arcs(const struct prof_callgraph *graph, const struct prof_cycles *cycles)
{
	const struct prof_graph_arc *arcs = graph->arcs.items;
	AUTO_FREE size_t *next = calloc(graph->functions + 1, sizeof *next);
	uint32_t *sorted = malloc((graph->arcs.count + 1) * sizeof *sorted);

	if (!next || !sorted) {
		free(sorted);
		return NULL;
	}
	for (size_t i = 0; i < graph->arcs.count; i++)
		next[cycles->rank[arcs[i].callee] + 1]++;
	for (size_t i = 0; i < graph->functions; i++)
		next[i + 1] += next[i];
	for (uint32_t i = 0; i < graph->arcs.count; i++)
		sorted[next[cycles->rank[arcs[i].callee]]++] = i;
	return sorted;
}

/*
 * Divides the time of each function or cycle among the arcs that lead to it.  In the order SORTED,
 * callees come first, and all members of a cycle before the arcs into it, so that the time to
 * divide is complete.
 */
static struct prof_error *propagate(struct prof_callgraph *graph, const uint32_t *sorted)
{
	AUTO_FREE prof_value *shared = calloc(graph->entries.count + 1, sizeof *shared);

	if (!shared)
		return prof_error_nomem();
	for (size_t i = 0; i < graph->arcs.count; i++) {
		struct prof_graph_arc *arc = &graph->arcs.items[sorted[i]];
		uint32_t group = prof_callgraph_group(graph, arc->callee);
		const struct prof_graph_entry *entry = &graph->entries.items[group];
		if (arc->inside || !arc->calls)
			continue;
		prof_value from = shared[group];
		prof_value to = shared[group] += arc->calls;
		arc->self = share(entry->self, from, to, entry->calls);
		arc->children = share(entry->children, from, to, entry->calls);
		prof_callgraph_charge(graph, arc);
	}
	return NULL;
}

/* Adds the costs of the COUNT CALLS to the arcs under their NUMBERS, all of it as children. */
static void add_costs(struct prof_callgraph *graph, const struct prof_call_count *calls,
	size_t count, const uint32_t *numbers)
{
	for (size_t i = 0; i < count; i++) {
		struct prof_graph_arc *arc = &graph->arcs.items[numbers[i]];
		if (!arc->inside)
			arc->children += calls[i].value;
	}
}

/*
 * Divides the children of the arcs into self and children, in the proportion of the callee's time.
 */
static struct prof_error *divide(struct prof_callgraph *graph)
{
	AUTO_FREE prof_value *entered = calloc(graph->entries.count + 1, sizeof *entered);
	AUTO_FREE prof_value *divided = calloc(graph->entries.count + 1, sizeof *divided);

	if (!entered || !divided)
		return prof_error_nomem();
	for (size_t i = 0; i < graph->arcs.count; i++) {
		const struct prof_graph_arc *arc = &graph->arcs.items[i];
		prof_callgraph_charge(graph, arc);
		entered[prof_callgraph_group(graph, arc->callee)] += arc->children;
	}
	for (size_t i = 0; i < graph->arcs.count; i++) {
		struct prof_graph_arc *arc = &graph->arcs.items[i];
		uint32_t group = prof_callgraph_group(graph, arc->callee);
		prof_value cost = arc->children;
		if (!cost)
			continue;
		prof_value from = divided[group];
		prof_value to = divided[group] += cost;
		prof_value self = share(graph->entries.items[group].self, from, to, entered[group]);
		arc->self = self < cost ? self : cost;
		arc->children = cost - arc->self;
	}
	return NULL;
}

/* A function that has no caller, or only itself, was called by something unknown. */
static struct prof_error *find_spontaneous(struct prof_callgraph *graph)
{
	AUTO_FREE bool *called = calloc(graph->entries.count + 1, sizeof *called);

	if (!called)
		return prof_error_nomem();
	for (size_t i = 0; i < graph->arcs.count; i++) {
		const struct prof_graph_arc *arc = &graph->arcs.items[i];
		if (arc->caller == PROF_NONE || arc->caller == arc->callee)
			continue;
		called[arc->callee] = true;
		if (!arc->inside)
			called[prof_callgraph_group(graph, arc->callee)] = true;
	}
	for (size_t i = 0; i < graph->entries.count; i++) {
		struct prof_graph_entry *entry = &graph->entries.items[i];
		entry->spontaneous |= entry->seen && !called[i];
	}
	return NULL;
}

/* Adds COUNT CALLS to the arcs under their NUMBERS. */
static void add_calls(struct prof_callgraph *graph, const struct prof_call_count *calls,
	size_t count, const uint32_t *numbers)
{
	for (size_t i = 0; i < count; i++) {
		graph->arcs.items[numbers[i]].calls += calls[i].calls;
		if (!calls[i].calls)
			continue;
		graph->entries.items[calls[i].callee].seen = true;
		if (calls[i].caller != PROF_NONE)
			graph->entries.items[calls[i].caller].seen = true;
	}
}

/* Divides the time of all entries among the arcs, unless COSTS: the arcs then have their own. */
static struct prof_error *add_times(
	struct prof_callgraph *graph, const struct prof_cycles *cycles, bool costs)
{
	if (costs)
		return divide(graph);
	AUTO_FREE uint32_t *sorted = sort_arcs(graph, cycles);
	return sorted ? propagate(graph, sorted) : prof_error_nomem();
}

static struct prof_error *fill(struct prof_callgraph *graph, const struct prof_cycles *cycles,
	const prof_value *self, bool costs)
{
	graph->counted = true;
	for (size_t i = 0; i < graph->functions; i++) {
		graph->entries.items[i].self = self[i];
		graph->entries.items[i].seen |= self[i] != 0;
	}
	prof_callgraph_count(graph);
	struct prof_error *error = add_times(graph, cycles, costs);
	if (!error)
		error = find_spontaneous(graph);
	if (!error)
		error = prof_callgraph_finish(graph);
	return error;
}

/* The graph of the COUNT CALLS; COSTS: the calls have values. */
static struct prof_error *create(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const prof_value *self,
	const struct prof_call_count *calls, size_t count, bool costs, struct prof_callgraph **ret)
{
	AUTO_PAIRS struct prof_pairs pairs = {0};
	AUTO_CYCLES struct prof_cycles cycles = {0};
	AUTO_FREE uint32_t *numbers = malloc((count + 1) * sizeof *numbers);
	struct prof_callgraph *graph = NULL;
	struct prof_error *error = numbers ? NULL : prof_error_nomem();

	for (size_t i = 0; !error && i < count; i++) {
		assert(calls[i].callee <= experiment->functions.count);
		error = prof_pairs_add(&pairs, calls[i].caller, calls[i].callee, &numbers[i]);
	}
	size_t functions = prof_callgraph_functions(experiment, &pairs);
	if (!error)
		error = prof_cycles_init(&cycles, functions, &pairs);
	if (!error)
		error = prof_callgraph_create(
			experiment, metric, functions, &pairs, &cycles, &graph);
	if (error)
		return error;

	add_calls(graph, calls, count, numbers);
	if (costs)
		add_costs(graph, calls, count, numbers);
	error = fill(graph, &cycles, self, costs);
	if (error) {
		prof_callgraph_destroy(graph);
		return error;
	}
	*ret = graph;
	return NULL;
}

struct prof_error *prof_callgraph_from_calls(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const prof_value *self,
	const struct prof_call_count *calls, size_t count, struct prof_callgraph **ret)
{
	return create(experiment, metric, self, calls, count, false, ret);
}

struct prof_error *prof_callgraph_from_costs(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const prof_value *self,
	const struct prof_call_count *calls, size_t count, struct prof_callgraph **ret)
{
	return create(experiment, metric, self, calls, count, true, ret);
}
