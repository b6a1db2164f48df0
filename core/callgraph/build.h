/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What both ways to make a call graph share (private to callgraph*.c).
 *
 * While a graph is built its arcs are those of a set of pairs, under the same numbers: also those
 * with nobody as the caller, which prof_callgraph_finish() takes out.
 */
#ifndef PROF_CALLGRAPH_BUILD_H
#define PROF_CALLGRAPH_BUILD_H

#include "callgraph/callgraph.h"
#include "callgraph/cycles.h"
#include "metric/pairs.h"
#include "model/experiment.h"

/*
 * The functions that PAIRS need entries for: those of EXPERIMENT, and "<Unknown>", which need not
 * be in its table.
 */
static inline size_t prof_callgraph_functions(
	const struct prof_experiment *experiment, const struct prof_pairs *pairs)
{
	size_t functions = experiment->functions.count;

	return functions > pairs->functions ? functions : pairs->functions;
}

/* A graph with an arc per pair, and entries for FUNCTIONS, whose values are all 0. */
struct prof_error *prof_callgraph_create(const struct prof_experiment *experiment,
	const struct prof_metric *metric, size_t functions, const struct prof_pairs *pairs,
	const struct prof_cycles *cycles, struct prof_callgraph **ret) PROF_MUST_CHECK;

/* The entry that FUNCTION's time is counted in as a whole: its cycle's, or its own. */
static inline uint32_t prof_callgraph_group(const struct prof_callgraph *graph, uint32_t function)
{
	uint32_t cycle = graph->entries.items[function].cycle;

	return cycle ? (uint32_t)graph->functions + cycle - 1 : function;
}

/* Once all arcs have their calls and all functions their `self`: sums both up by entry. */
void prof_callgraph_count(struct prof_callgraph *graph);

/* Adds what came along ARC to the children of its caller, and of the caller's cycle. */
void prof_callgraph_charge(struct prof_callgraph *graph, const struct prof_graph_arc *arc);

/* Takes the arcs from nobody out, and makes the lines of the cycles. */
struct prof_error *prof_callgraph_finish(struct prof_callgraph *graph) PROF_MUST_CHECK;

#endif
