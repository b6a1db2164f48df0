/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The lines of gprof's call graph, in order.  The styles differ in cycles: one follows the section
 * "How Mutually Recursive Functions Are Described" of gprof's manual, the other what GNU gprof
 * prints.
 */
#include "callgraph/callgraph.h"
#include "view/gprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void prof_gprof_deinit(struct prof_gprof *gprof)
{
	free(gprof->order);
	free(gprof->index);
	free(gprof->lines.items);
}

const char *prof_gprof_name(
	const struct prof_callgraph *graph, uint32_t entry, char buffer[PROF_GPROF_NAME])
{
	const struct prof_graph_entry *at = &graph->entries.items[entry];

	if (at->function != PROF_NONE)
		return prof_experiment_function_name(graph->experiment, at->function);
	snprintf(buffer, PROF_GPROF_NAME, "<cycle %u as a whole>", (unsigned)at->cycle);
	return buffer;
}

static const struct prof_graph_entry *entry_of(const struct prof_callgraph *graph, uint32_t entry)
{
	return &graph->entries.items[entry];
}

/* The entry of cycle NUMBER as a whole. */
static uint32_t cycle_entry(const struct prof_callgraph *graph, uint32_t number)
{
	return (uint32_t)graph->functions + number - 1;
}

/* -1 if A is larger: the larger is first. */
static int larger_first(prof_value a, prof_value b)
{
	return (a < b) - (a > b);
}

/* Whole cycles before functions, and functions whose names begin with '_' last. */
static int kind_of_entry(const struct prof_callgraph *graph, const struct prof_graph_entry *entry)
{
	if (entry->function == PROF_NONE)
		return 0;
	return prof_experiment_function_name(graph->experiment, entry->function)[0] == '_' ? 2 : 1;
}

/*
 * GNU gprof's order of entries.  The manual's style adds one rule: among entries with the same
 * time, a function without callers precedes its callees.
 */
static int compare_entries(const void *left, const void *right, void *context)
{
	const struct prof_gprof *gprof = context;
	const struct prof_callgraph *graph = gprof->graph;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	const struct prof_graph_entry *one = entry_of(graph, a);
	const struct prof_graph_entry *other = entry_of(graph, b);
	int result = larger_first(one->self + one->children, other->self + other->children);

	if (!result && gprof->style == PROF_STYLE_MANUAL)
		result = (int)other->spontaneous - (int)one->spontaneous;
	if (!result)
		result = kind_of_entry(graph, one) - kind_of_entry(graph, other);
	if (!result)
		result = larger_first(one->calls + one->inside, other->calls + other->inside);
	if (!result && one->function != PROF_NONE && other->function != PROF_NONE)
		result = strcmp(prof_experiment_function_name(graph->experiment, one->function),
			prof_experiment_function_name(graph->experiment, other->function));
	return result ? result : (a > b) - (a < b);
}

static struct prof_error *number_entries(struct prof_gprof *gprof)
{
	const struct prof_callgraph *graph = gprof->graph;
	size_t count = graph->entries.count;

	gprof->order = malloc((count + 1) * sizeof *gprof->order);
	gprof->index = calloc(count + 1, sizeof *gprof->index);
	if (!gprof->order || !gprof->index)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++) {
		if (entry_of(graph, i)->seen)
			gprof->order[gprof->entries++] = i;
	}
	qsort_r(gprof->order, gprof->entries, sizeof *gprof->order, compare_entries, gprof);
	for (uint32_t i = 0; i < gprof->entries; i++)
		gprof->index[gprof->order[i]] = i + 1;
	return NULL;
}

/* Adds a copy of LINE, unless the name in it has no entry. */
static bool add_line(struct prof_gprof *gprof, struct prof_gprof_line line)
{
	bool named = line.named == PROF_NONE || gprof->index[line.named];

	if (!named || !gprof->index[line.entry])
		return true;
	struct prof_gprof_line *new = prof_array_push(&gprof->lines);
	if (new)
		*new = line;
	return new;
}

/* The entry to which the calls along an arc into ENTRY belong: its cycle's, or its own. */
static uint32_t whole_of(const struct prof_callgraph *graph, uint32_t entry)
{
	uint32_t cycle = entry_of(graph, entry)->cycle;

	return cycle ? cycle_entry(graph, cycle) : entry;
}

static struct prof_gprof_line line_of_arc(
	const struct prof_callgraph *graph, const struct prof_graph_arc *arc)
{
	struct prof_gprof_line line = {
		.called = arc->calls, .known = entry_of(graph, arc->callee)->known};

	if (arc->inside) {
		line.place = arc->caller == arc->callee ? PROF_GPROF_SELF : PROF_GPROF_INSIDE;
		return line;
	}
	line.self = arc->self;
	line.children = arc->children;
	line.of = entry_of(graph, whole_of(graph, arc->callee))->calls;
	line.of_known = entry_of(graph, whole_of(graph, arc->callee))->known;
	return line;
}

static bool add_caller(struct prof_gprof *gprof, const struct prof_graph_arc *arc)
{
	struct prof_gprof_line line = line_of_arc(gprof->graph, arc);

	line.role = PROF_GPROF_CALLER;
	line.entry = arc->callee;
	line.named = arc->caller;
	return add_line(gprof, line);
}

static bool add_callee(struct prof_gprof *gprof, const struct prof_graph_arc *arc)
{
	struct prof_gprof_line line = line_of_arc(gprof->graph, arc);

	line.role = PROF_GPROF_CALLEE;
	line.entry = arc->caller;
	line.named = arc->callee;
	return add_line(gprof, line);
}

/* Adds the lines of arcs: two each, and in the manual's style those of whole cycles, too. */
static bool add_arcs(struct prof_gprof *gprof)
{
	const struct prof_callgraph *graph = gprof->graph;
	bool good = true;

	for (size_t i = 0; good && i < graph->arcs.count; i++)
		good = add_caller(gprof, &graph->arcs.items[i]) &&
			add_callee(gprof, &graph->arcs.items[i]);
	if (gprof->style != PROF_STYLE_MANUAL)
		return good;
	for (size_t i = 0; good && i < graph->cycle_callers.count; i++)
		good = add_caller(gprof, &graph->cycle_callers.items[i]);
	for (size_t i = 0; good && i < graph->cycle_callees.count; i++)
		good = add_callee(gprof, &graph->cycle_callees.items[i]);
	return good;
}

/*
 * The calls of ENTRY in each style.  The manual prints calls from outside, plus calls from inside
 * and recursive ones; GNU gprof prints all calls that are not recursive, plus these.
 */
static void count_calls(const struct prof_gprof *gprof, const struct prof_graph_entry *entry,
	const prof_value *selfcalls, struct prof_gprof_line *line)
{
	bool gnu = gprof->style == PROF_STYLE_GNU;
	bool cycle = entry->function == PROF_NONE;

	line->known = line->of_known = entry->known;
	line->called = entry->calls;
	line->of = entry->recursive;
	if (gnu && cycle)
		line->of -= selfcalls[entry->cycle - 1];
	else if (gnu)
		line->called += entry->inside;
	else if (line->role == PROF_GPROF_MEMBER) {
		line->called = entry->inside + entry->recursive;
		line->of = 0;
	}
}

/*
 * Adds the primary lines, and those of members.  SELFCALLS: by cycle, recursive calls of members.
 */
static bool add_entries(struct prof_gprof *gprof, const prof_value *selfcalls)
{
	const struct prof_callgraph *graph = gprof->graph;
	bool good = true;

	for (size_t i = 0; good && i < gprof->entries; i++) {
		uint32_t number = gprof->order[i];
		const struct prof_graph_entry *entry = entry_of(graph, number);
		struct prof_gprof_line line = {
			.entry = number,
			.named = number,
			.role = PROF_GPROF_PRIMARY,
			.self = entry->self,
			.children = entry->children,
		};
		count_calls(gprof, entry, selfcalls, &line);
		good = add_line(gprof, line);
		if (!good || !entry->cycle || entry->function == PROF_NONE)
			continue;
		line.entry = cycle_entry(graph, entry->cycle);
		line.role = PROF_GPROF_MEMBER;
		count_calls(gprof, entry, selfcalls, &line);
		good = add_line(gprof, line);
	}
	return good;
}

/*
 * Adds the unknown callers.  GNU gprof lists them only if no others are known, and not for cycles.
 */
static bool add_spontaneous(struct prof_gprof *gprof, const bool *called)
{
	const struct prof_callgraph *graph = gprof->graph;
	bool manual = gprof->style == PROF_STYLE_MANUAL;
	bool good = true;

	for (size_t i = 0; good && i < gprof->entries; i++) {
		uint32_t number = gprof->order[i];
		const struct prof_graph_entry *entry = entry_of(graph, number);
		struct prof_gprof_line line = {
			.entry = number, .named = PROF_NONE, .role = PROF_GPROF_SPONTANEOUS};
		if (entry->function == PROF_NONE && !manual)
			continue;
		if (!called[number] || (entry->spontaneous && manual))
			good = add_line(gprof, line);
	}
	return good;
}

static bool add_lines(struct prof_gprof *gprof)
{
	const struct prof_callgraph *graph = gprof->graph;
	size_t cycles = graph->entries.count - graph->functions;
	AUTO_FREE prof_value *selfcalls = calloc(cycles + 1, sizeof *selfcalls);
	AUTO_FREE bool *called = calloc(graph->entries.count + 1, sizeof *called);

	if (!selfcalls || !called || !add_arcs(gprof))
		return false;
	for (size_t i = 0; i < gprof->lines.count; i++) {
		if (gprof->lines.items[i].role == PROF_GPROF_CALLER)
			called[gprof->lines.items[i].entry] = true;
	}
	for (uint32_t i = 0; i < graph->functions; i++) {
		const struct prof_graph_entry *entry = entry_of(graph, i);
		if (entry->cycle)
			selfcalls[entry->cycle - 1] += entry->recursive;
	}
	return add_entries(gprof, selfcalls) && add_spontaneous(gprof, called);
}

/*
 * Callers are sorted ascending and callees descending by their values, so that the largest are next
 * to the primary line.  In the manual's style calls inside a cycle are next to it as well; in GNU's
 * they are the farthest, and members are sorted descending in both.
 */
static int compare_lines(const void *left, const void *right, void *context)
{
	const struct prof_gprof *gprof = context;
	const struct prof_gprof_line *a = left;
	const struct prof_gprof_line *b = right;
	uint32_t one = gprof->index[a->entry];
	uint32_t other = gprof->index[b->entry];

	if (one != other)
		return one < other ? -1 : 1;
	if (a->role != b->role)
		return a->role < b->role ? -1 : 1;
	if (a->role == PROF_GPROF_SPONTANEOUS || a->role == PROF_GPROF_PRIMARY)
		return 0;
	bool callers = a->role == PROF_GPROF_CALLER;
	if (a->place != b->place) {
		bool ascending = callers == (gprof->style == PROF_STYLE_MANUAL);
		return (a->place < b->place) == ascending ? -1 : 1;
	}
	int result = larger_first(a->self + a->children, b->self + b->children);
	if (!result)
		result = larger_first(a->called, b->called);
	if (result)
		return callers ? -result : result;
	return gprof->index[a->named] < gprof->index[b->named] ? -1 : 1;
}

/* Keeps the lines of the first LIMIT entries. */
static void cut_lines(struct prof_gprof *gprof, uint64_t limit)
{
	size_t count = 0;

	while (count < gprof->lines.count && gprof->index[gprof->lines.items[count].entry] <= limit)
		count++;
	gprof->lines.count = count;
}

struct prof_error *prof_gprof_init(struct prof_gprof *gprof, const struct prof_callgraph *graph,
	const struct prof_gprof_choice *choice)
{
	*gprof = (struct prof_gprof){.graph = graph, .style = choice->style};
	struct prof_error *error = number_entries(gprof);

	if (!error && !add_lines(gprof))
		error = prof_error_nomem();
	if (error) {
		prof_gprof_deinit(gprof);
		*gprof = (struct prof_gprof){.graph = graph};
		return error;
	}
	if (gprof->lines.count)
		qsort_r(gprof->lines.items, gprof->lines.count, sizeof *gprof->lines.items,
			compare_lines, gprof);
	if (choice->limit)
		cut_lines(gprof, choice->limit);
	return NULL;
}
