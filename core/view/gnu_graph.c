/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GNU gprof's call graph. */
#include "base/map.h"
#include "base/text.h"
#include "callgraph/gnu.h"
#include "model/gmon.h"
#include "model/image_symbols.h"
#include "view/gnu.h"
#include "view/gprof.h"

#include <stdio.h>
#include <stdlib.h>

struct graph {
	const struct prof_gnu *gnu;
	struct prof_text *text;
	double rate;               /* samples a second */
	double percent;            /* of which times are a percentage */
	PROF_ARRAY(uint32_t) list; /* arcs, or members of a cycle, to sort */
};

static void graph_deinit(struct graph *graph)
{
	free(graph->list.items);
}

static const struct prof_gnu_symbol *symbol_of(const struct graph *graph, uint32_t symbol)
{
	return &graph->gnu->symbols.items[symbol];
}

static unsigned long long number(uint64_t value)
{
	return value;
}

static void print_heading(const struct graph *graph)
{
	const struct prof_gnu *gnu = graph->gnu;

	prof_text_print(graph->text,
		"\t\t\tCall graph\n\n\ngranularity: each sample hit covers %ld byte(s)",
		2 * (long)prof_gmon_scale(gnu->gmon));
	if (gnu->counted > 0)
		prof_text_print(graph->text, " for %.2f%% of %.2f seconds\n\n",
			100.0 / gnu->counted, gnu->counted / graph->rate);
	else
		prof_text_print(graph->text, " no time propagated\n\n");
	prof_text_print(graph->text, "index %% time    self  children    called     name\n");
}

/* Ends a line with its symbol, its cycle and its index. */
static struct prof_error *end_line(const struct graph *graph, uint32_t symbol)
{
	const struct prof_gnu_symbol *of = symbol_of(graph, symbol);
	AUTO_FREE char *name = prof_gnu_name(graph->gnu, symbol);

	if (!name)
		return prof_error_nomem();
	prof_text_name(graph->text, name);
	if (of->cycle)
		prof_text_print(graph->text, " <cycle %u>", of->cycle);
	prof_text_print(graph->text, of->shown ? " [%u]\n" : " (%u)\n", of->index);
	return NULL;
}

/* Prints the times of SYMBOL, then its calls, or blanks if there are none and BLANK is true. */
static void print_numbers(
	const struct graph *graph, const struct prof_gnu_symbol *symbol, bool blank)
{
	prof_text_print(graph->text, " %7.2f %7.2f", symbol->self / graph->rate,
		symbol->child / graph->rate);
	if (blank && !symbol->calls && !symbol->selfcalls)
		prof_text_spaces(graph->text, 16);
	else if (symbol->selfcalls)
		prof_text_print(graph->text, " %7llu+%-7llu", number(symbol->calls),
			number(symbol->selfcalls));
	else
		prof_text_print(graph->text, " %7llu        ", number(symbol->calls));
}

static void print_index_and_percent(const struct graph *graph, const struct prof_gnu_symbol *symbol)
{
	char index[16];

	snprintf(index, sizeof index, "[%u]", symbol->index);
	prof_text_print(graph->text, "%-6.6s %5.1f", index,
		100 * (symbol->self + symbol->child) / graph->percent);
}

static bool is_inside(const struct graph *graph, const struct prof_gnu_arc *arc)
{
	uint32_t cycle = symbol_of(graph, arc->caller)->cycle;

	return arc->caller == arc->callee ||
		(cycle && cycle == symbol_of(graph, arc->callee)->cycle);
}

/* Prints the line of ARC that names SYMBOL, its caller or callee. */
static struct prof_error *print_arc(
	const struct graph *graph, const struct prof_gnu_arc *arc, uint32_t symbol)
{
	uint32_t whole = symbol_of(graph, arc->callee)->head;

	if (is_inside(graph, arc))
		prof_text_print(graph->text, "%36llu             ", number(arc->calls));
	else
		prof_text_print(graph->text, "%20.2f %7.2f %7llu/%-7llu     ",
			arc->time / graph->rate, arc->child_time / graph->rate, number(arc->calls),
			number(symbol_of(graph, whole)->calls));
	return end_line(graph, symbol);
}

/* The group in which a call is sorted: recursion, within a cycle, or neither. */
static int kind_of(const struct graph *graph, const struct prof_gnu_arc *arc)
{
	if (arc->caller == arc->callee)
		return 0;
	return is_inside(graph, arc) ? 1 : 2;
}

/* Ascending; within a cycle only the calls count.  Equal arcs keep the order of their numbers. */
static int compare_arcs(const void *left, const void *right, void *context)
{
	const struct graph *graph = context;
	const struct prof_gnu_arc *a = &graph->gnu->arcs.items[*(const uint32_t *)left];
	const struct prof_gnu_arc *b = &graph->gnu->arcs.items[*(const uint32_t *)right];
	int kind = kind_of(graph, a);

	if (kind != kind_of(graph, b))
		return kind - kind_of(graph, b);
	double one = kind == 2 ? a->time + a->child_time : 0;
	double other = kind == 2 ? b->time + b->child_time : 0;
	if (one != other)
		return one < other ? -1 : 1;
	return (a->calls > b->calls) - (a->calls < b->calls);
}

static int compare_callers(const void *left, const void *right, void *context)
{
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	int result = compare_arcs(left, right, context);

	return result ? result : (a > b) - (a < b);
}

static int compare_callees(const void *left, const void *right, void *context)
{
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	int result = compare_arcs(right, left, context);

	return result ? result : (a > b) - (a < b);
}

static bool add_to_list(struct graph *graph, uint32_t item)
{
	uint32_t *place = prof_array_push(&graph->list);

	if (place)
		*place = item;
	return place;
}

static void sort_list(struct graph *graph, int (*compare)(const void *, const void *, void *))
{
	if (graph->list.count)
		qsort_r(graph->list.items, graph->list.count, sizeof *graph->list.items, compare,
			graph);
}

/* Prints the callers of SYMBOL or, if CALLEES, its callees. */
static struct prof_error *print_arcs(struct graph *graph, uint32_t symbol, bool callees)
{
	const struct prof_gnu_arc *arcs = graph->gnu->arcs.items;
	const struct prof_gnu_symbol *of = symbol_of(graph, symbol);
	struct prof_error *error = NULL;

	graph->list.count = 0;
	for (uint32_t arc = callees ? of->callees : of->callers; arc != PROF_NONE;
		arc = callees ? arcs[arc].next_callee : arcs[arc].next_caller) {
		if (!add_to_list(graph, arc))
			return prof_error_nomem();
	}
	sort_list(graph, callees ? compare_callees : compare_callers);
	for (size_t i = 0; !error && i < graph->list.count; i++) {
		const struct prof_gnu_arc *arc = &arcs[graph->list.items[i]];
		error = print_arc(graph, arc, callees ? arc->callee : arc->caller);
	}
	return error;
}

static struct prof_error *print_function(struct graph *graph, uint32_t symbol)
{
	struct prof_error *error = print_arcs(graph, symbol, false);

	if (error)
		return error;
	if (symbol_of(graph, symbol)->callers == PROF_NONE)
		prof_text_print(graph->text, "%49s<spontaneous>\n", "");
	print_index_and_percent(graph, symbol_of(graph, symbol));
	print_numbers(graph, symbol_of(graph, symbol), true);
	prof_text_spaces(graph->text, 1);
	error = end_line(graph, symbol);
	return error ? error : print_arcs(graph, symbol, true);
}

/* The order of the members of a cycle. */
struct member {
	double time;
	uint64_t calls;
};

static struct member member_of(const struct graph *graph, uint32_t symbol)
{
	const struct prof_gnu_symbol *of = symbol_of(graph, symbol);

	return (struct member){of->self + of->child, of->calls + of->selfcalls};
}

static bool is_before(struct member one, struct member other)
{
	return one.time != other.time ? one.time > other.time : one.calls > other.calls;
}

/* Descending by time and calls.  Equal ones stay as they were found. */
static void sort_members(struct graph *graph)
{
	uint32_t *list = graph->list.items;

	for (size_t i = 1; i < graph->list.count; i++) {
		uint32_t moving = list[i];
		size_t to = i;
		for (; to && is_before(member_of(graph, moving), member_of(graph, list[to - 1]));
			to--)
			list[to] = list[to - 1];
		list[to] = moving;
	}
}

static struct prof_error *print_cycle(struct graph *graph, uint32_t symbol)
{
	const struct prof_gnu_symbol *cycle = symbol_of(graph, symbol);
	struct prof_error *error = NULL;

	print_index_and_percent(graph, cycle);
	print_numbers(graph, cycle, false);
	prof_text_print(graph->text, " <cycle %u as a whole> [%u]\n", cycle->cycle, cycle->index);
	graph->list.count = 0;
	for (uint32_t i = cycle->next; i != PROF_NONE; i = symbol_of(graph, i)->next) {
		if (!add_to_list(graph, i))
			return prof_error_nomem();
	}
	sort_members(graph);
	for (size_t i = 0; !error && i < graph->list.count; i++) {
		uint32_t member = graph->list.items[i];
		prof_text_spaces(graph->text, 12);
		print_numbers(graph, symbol_of(graph, member), false);
		prof_text_spaces(graph->text, 5);
		error = end_line(graph, member);
	}
	return error;
}

/* Does SYMBOL have an entry? */
static bool is_entry(
	const struct graph *graph, const struct prof_gprof_choice *choice, uint32_t number_of)
{
	const struct prof_gnu_symbol *symbol = symbol_of(graph, number_of);
	bool nothing =
		!symbol->calls && !symbol->selfcalls && symbol->self == 0 && symbol->child == 0;

	if ((nothing && !choice->all) || !symbol->shown)
		return false;
	/* With lines, gprof prints no entries of whole cycles. */
	return !graph->gnu->lines || (symbol->place && symbol->place->marked);
}

struct prof_error *prof_gnu_graph(
	const struct prof_gnu *gnu, const struct prof_gprof_choice *choice, struct prof_text *text)
{
	PROF_AUTO(graph_deinit)
	struct graph graph = {.gnu = gnu,
		.text = text,
		.rate = gnu->gmon->rate ? gnu->gmon->rate : 1,
		.percent = gnu->counted > 0 ? gnu->counted : 1};
	struct prof_error *error = NULL;
	uint64_t entries = 0;

	print_heading(&graph);
	for (size_t i = 0; !error && i < gnu->symbols.count; i++) {
		uint32_t symbol = gnu->order[i];
		if (!is_entry(&graph, choice, symbol))
			continue;
		if (choice->limit && entries++ == choice->limit)
			break;
		error = gnu->symbols.items[symbol].place ? print_function(&graph, symbol)
							 : print_cycle(&graph, symbol);
		prof_text_print(text, "-----------------------------------------------\n");
	}
	return error;
}
