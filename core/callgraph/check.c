/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callgraph/build.h"

#include <assert.h>
#include <stdlib.h>

/* The sums of the arcs and lines of an entry. */
struct sums {
	prof_value self, children, calls; /* from outside */
	prof_value recursive, inside;
	prof_value below; /* time of its callees outside of the cycle */
	size_t members;
	prof_value lines[2][3]; /* of a cycle's callers and callees: self, children, calls */
};

/* Cycles have two members or more, and are numbered in the order of their smallest. */
static void check_cycles(const struct prof_callgraph *graph, struct sums *sums)
{
	uint32_t cycles = 0;

	for (uint32_t i = 0; i < graph->functions; i++) {
		const struct prof_graph_entry *entry = &graph->entries.items[i];
		assert(entry->function == i);
		assert(entry->cycle <= cycles + 1);
		if (entry->cycle > cycles)
			cycles = entry->cycle;
		sums[prof_callgraph_group(graph, i)].members++;
	}
	assert(graph->entries.count == graph->functions + cycles);
	for (size_t i = graph->functions; i < graph->entries.count; i++) {
		assert(graph->entries.items[i].function == PROF_NONE);
		assert(graph->entries.items[i].cycle == i - graph->functions + 1);
		assert(sums[i].members >= 2);
	}
}

/* Adds ARC to the sums of its ends. */
static void add_arc(
	const struct prof_callgraph *graph, const struct prof_graph_arc *arc, struct sums *sums)
{
	uint32_t caller = prof_callgraph_group(graph, arc->caller);
	uint32_t callee = prof_callgraph_group(graph, arc->callee);

	assert(arc->inside == (caller == callee));
	assert(graph->counted || arc->inside || arc->self + arc->children == arc->calls);
	if (arc->caller == arc->callee) {
		sums[callee].recursive += arc->calls;
		if (callee != arc->callee)
			sums[arc->callee].recursive += arc->calls;
	} else if (arc->inside) {
		sums[callee].recursive += arc->calls;
		sums[arc->callee].inside += arc->calls;
	} else {
		sums[callee].self += arc->self;
		sums[callee].children += arc->children;
		sums[callee].calls += arc->calls;
		if (callee != arc->callee)
			sums[arc->callee].calls += arc->calls;
		sums[caller].below += arc->self + arc->children;
		if (caller != arc->caller)
			sums[arc->caller].below += arc->self + arc->children;
	}
}

static void add_line(const struct prof_graph_arc *line, prof_value sums[3])
{
	assert(!line->inside);
	sums[0] += line->self;
	sums[1] += line->children;
	sums[2] += line->calls;
}

/* A cycle is what its members are; SUMS are what its lines add up to. */
static void check_cycle(const struct prof_callgraph *graph, const struct prof_graph_entry *cycle,
	const struct sums *sums)
{
	prof_value self = 0, children = 0, calls = 0, recursive = 0;
	bool seen = false;

	for (size_t i = 0; i < graph->functions; i++) {
		const struct prof_graph_entry *member = &graph->entries.items[i];
		if (member->cycle != cycle->cycle)
			continue;
		self += member->self;
		children += member->children;
		calls += member->calls;
		recursive += member->recursive + member->inside;
		seen |= member->seen;
	}
	assert(cycle->self == self && cycle->children == children);
	assert(cycle->calls == calls && cycle->recursive == recursive);
	assert(cycle->seen == seen && !cycle->inside);
	assert(sums->lines[0][0] == sums->self && sums->lines[0][1] == sums->children);
	assert(sums->lines[0][2] == sums->calls);
	assert(sums->lines[1][0] + sums->lines[1][1] == cycle->children);
}

static void check_entry(const struct prof_callgraph *graph, const struct prof_graph_entry *entry,
	const struct sums *sums)
{
	bool whole = !entry->cycle || entry->function == PROF_NONE;

	assert(entry->children == sums->below);
	assert(entry->recursive == sums->recursive);
	assert(entry->inside == sums->inside);
	assert(entry->spontaneous || entry->calls == sums->calls);
	assert(entry->known || (!entry->calls && !entry->recursive && !entry->inside) ||
		entry->function == PROF_NONE);
	assert(entry->seen || (!entry->self && !entry->calls && !entry->spontaneous));
	/* All of its time came from its callers, unless no callers or calls are known. */
	if (whole && !entry->spontaneous && entry->calls) {
		assert(entry->self == sums->self);
		assert(entry->children == sums->children);
	}
	if (whole && !graph->counted)
		assert(entry->self + entry->children == entry->calls);
	if (entry->function == PROF_NONE)
		check_cycle(graph, entry, sums);
}

void prof_callgraph_check(const struct prof_callgraph *graph)
{
	AUTO_FREE struct sums *sums = calloc(graph->entries.count + 1, sizeof *sums);
	prof_value total = 0;

	assert(sums);
	check_cycles(graph, sums);
	for (size_t i = 0; i < graph->arcs.count; i++) {
		assert(graph->arcs.items[i].caller < graph->functions);
		assert(graph->arcs.items[i].callee < graph->functions);
		add_arc(graph, &graph->arcs.items[i], sums);
	}
	for (size_t i = 0; i < graph->cycle_callers.count; i++) {
		const struct prof_graph_arc *line = &graph->cycle_callers.items[i];
		assert(graph->entries.items[line->callee].function == PROF_NONE);
		add_line(line, sums[line->callee].lines[0]);
	}
	for (size_t i = 0; i < graph->cycle_callees.count; i++) {
		const struct prof_graph_arc *line = &graph->cycle_callees.items[i];
		assert(graph->entries.items[line->caller].function == PROF_NONE);
		add_line(line, sums[line->caller].lines[1]);
	}
	for (size_t i = 0; i < graph->entries.count; i++) {
		check_entry(graph, &graph->entries.items[i], &sums[i]);
		if (i < graph->functions)
			total += graph->entries.items[i].self;
	}
	assert(graph->total == total);
}
