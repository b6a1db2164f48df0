/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The call graph from stacks: times are counted, not estimated.
 *
 * In any stack the members of a cycle are adjacent, in one run: a function between two of them is
 * called, directly or not, by one and calls the other, so it is a member itself.  The same holds
 * for a function that is in no cycle: only the function itself can be between two of its calls. So
 * each stack enters a cycle or function at most once, along one arc, and its whole value came along
 * that arc.
 */
#include "callgraph/build.h"
#include "metric/calltree.h"
#include "metric/pairs.h"
#include "metric/profile.h"
#include "metric/walk.h"

#include <assert.h>
#include <stdlib.h>

struct build {
	const struct prof_profile *profile;
	const struct prof_call_counts *counted;
	const uint32_t *numbers; /* by counted call: its arc */
	struct prof_callgraph *graph;
	const uint32_t *pair; /* by node of the tree: the arc that leads to it */
	uint32_t *run;        /* by node: the outermost node of its run */
	uint32_t *times;      /* by arc inside a cycle: how often it is on the walk's path */
	bool *open;           /* by entry: one of its runs is on the walk's path */
};

static void build_deinit(struct build *build)
{
	free(build->run);
	free(build->times);
	free(build->open);
}

/*
 * Adds the time of each node to the arc along which its run was entered.  A stack that ends in the
 * run adds to `self`.
 */
static void add_times(struct build *build)
{
	const struct prof_profile *profile = build->profile;
	const struct prof_call *nodes = profile->tree.nodes.items;
	struct prof_graph_arc *arcs = build->graph->arcs.items;

	for (uint32_t i = 1; i < profile->tree.nodes.count; i++) {
		struct prof_graph_arc *arc = &arcs[build->pair[i]];
		struct prof_graph_entry *entry = &build->graph->entries.items[nodes[i].function];
		build->run[i] = arc->inside ? build->run[nodes[i].parent] : i;
		entry->self += profile->self[i];
		entry->seen = true;
		arcs[build->pair[build->run[i]]].self += profile->self[i];
		if (!arc->inside)
			arc->calls += profile->inclusive[i];
	}
	for (size_t i = 0; i < build->graph->arcs.count; i++) {
		if (!arcs[i].inside)
			arcs[i].children = arcs[i].calls - arcs[i].self;
	}
}

/* An arc inside a cycle counts once per stack, where the walk meets it first. */
static void enter(struct build *build, uint32_t node)
{
	struct prof_graph_arc *arc = &build->graph->arcs.items[build->pair[node]];

	if (!arc->inside) {
		bool *open = &build->open[prof_callgraph_group(build->graph, arc->callee)];
		assert(!*open);
		*open = true;
	} else if (!build->times[build->pair[node]]++) {
		arc->calls += build->profile->inclusive[node];
	}
}

static void leave(struct build *build, uint32_t node)
{
	const struct prof_graph_arc *arc = &build->graph->arcs.items[build->pair[node]];

	if (!arc->inside)
		build->open[prof_callgraph_group(build->graph, arc->callee)] = false;
	else
		build->times[build->pair[node]]--;
}

/*
 * Counted calls replace those that the stacks show.  The calls into a cycle are known no
 * better than those of any of its members.
 */
static void take_counted(struct build *build)
{
	struct prof_callgraph *graph = build->graph;
	const struct prof_call_counts *counted = build->counted;

	graph->counted = graph->partly = true;
	for (size_t i = 0; i < graph->arcs.count; i++)
		graph->arcs.items[i].calls = 0;
	for (size_t i = 0; i < counted->list.count; i++) {
		const struct prof_call_count *call = &counted->list.items[i];
		if (!call->calls)
			continue;
		graph->arcs.items[build->numbers[i]].calls += call->calls;
		graph->entries.items[call->callee].seen = true;
		if (call->caller != PROF_NONE)
			graph->entries.items[call->caller].seen = true;
	}
	for (uint32_t i = 0; i < graph->functions; i++) {
		struct prof_graph_entry *whole =
			&graph->entries.items[prof_callgraph_group(graph, i)];
		enum prof_known known = prof_call_counts_known(counted, i);
		graph->entries.items[i].known = known;
		if (whole->function == PROF_NONE && known < whole->known)
			whole->known = known;
	}
}

static struct prof_error *build_run(struct build *build)
{
	AUTO_WALK struct prof_walk walk = {0};
	struct prof_callgraph *graph = build->graph;

	build->run = malloc(build->profile->tree.nodes.count * sizeof *build->run);
	build->times = calloc(graph->arcs.count + 1, sizeof *build->times);
	build->open = calloc(graph->entries.count + 1, sizeof *build->open);
	if (!build->run || !build->times || !build->open)
		return prof_error_nomem();
	struct prof_error *error = prof_walk_init(&walk, &build->profile->tree);
	if (error)
		return error;
	add_times(build);
	while (prof_walk_next(&walk)) {
		if (!walk.node)
			continue;
		if (walk.entering)
			enter(build, walk.node);
		else
			leave(build, walk.node);
	}
	if (build->counted->functions.count)
		take_counted(build);
	prof_callgraph_count(graph);
	for (size_t i = 0; i < graph->arcs.count; i++)
		prof_callgraph_charge(graph, &graph->arcs.items[i]);
	return prof_callgraph_finish(graph);
}

/*
 * Collects the pairs of the stacks and of the counted calls; *RET becomes a new array, by counted
 * call.
 */
static struct prof_error *find_pairs(const struct prof_profile *profile,
	const struct prof_call_counts *counted, struct prof_pairs *pairs, uint32_t **by_node,
	uint32_t **ret)
{
	struct prof_error *error = prof_pairs_of_tree(pairs, &profile->tree, by_node);

	*ret = error ? NULL : malloc((counted->list.count + 1) * sizeof **ret);
	if (!error && !*ret)
		return prof_error_nomem();
	for (size_t i = 0; i < counted->list.count && !error; i++)
		error = prof_pairs_add(pairs, counted->list.items[i].caller,
			counted->list.items[i].callee, &(*ret)[i]);
	return error;
}

struct prof_error *prof_callgraph_from_stacks(const struct prof_profile *profile,
	const struct prof_call_counts *counted, struct prof_callgraph **ret)
{
	AUTO_PAIRS struct prof_pairs pairs = {0};
	AUTO_CYCLES struct prof_cycles cycles = {0};
	AUTO_FREE uint32_t *pair = NULL;
	AUTO_FREE uint32_t *numbers = NULL;
	struct prof_callgraph *graph = NULL;
	struct prof_error *error = find_pairs(profile, counted, &pairs, &pair, &numbers);
	size_t functions = prof_callgraph_functions(profile->experiment, &pairs);
	/* A function whose calls were counted may have had none. */
	if (functions < counted->known.count)
		functions = counted->known.count;
	if (!error)
		error = prof_cycles_init(&cycles, functions, &pairs);
	if (!error)
		error = prof_callgraph_create(
			profile->experiment, profile->metric, functions, &pairs, &cycles, &graph);
	if (error)
		return error;

	PROF_AUTO(build_deinit)
	struct build build = {.profile = profile,
		.counted = counted,
		.numbers = numbers,
		.graph = graph,
		.pair = pair};
	error = build_run(&build);
	if (error) {
		prof_callgraph_destroy(graph);
		return error;
	}
	*ret = graph;
	return NULL;
}
