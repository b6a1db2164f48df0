/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callgraph/gnu.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

void prof_gnu_destroy(struct prof_gnu *gnu)
{
	if (!gnu)
		return;
	free(gnu->symbols.items);
	free(gnu->arcs.items);
	free(gnu->order);
	free(gnu->chosen);
	free(gnu);
}

static void gnu_auto(struct prof_gnu **gnu)
{
	prof_gnu_destroy(*gnu);
}

bool prof_gnu_is_flat(const struct prof_gnu *gnu, uint32_t symbol)
{
	return !(gnu->chosen[symbol] & 1 << PROF_GNU_WITHOUT_FLAT);
}

static struct prof_error *add_places(struct prof_gnu *gnu, const struct prof_image_symbols *places)
{
	if (!prof_array_reserve(&gnu->symbols, places->count))
		return prof_error_nomem();
	for (uint32_t i = 0; i < places->count; i++) {
		gnu->symbols.items[gnu->symbols.count++] = (struct prof_gnu_symbol){
			.place = &places->items[i],
			.head = i,
			.next = PROF_NONE,
			.callers = PROF_NONE,
			.callees = PROF_NONE,
		};
	}
	gnu->places = places->count;
	return NULL;
}

/* Addresses in units of two bytes, as gprof counts them. */
static uint64_t unit_of(const struct prof_gnu *gnu, size_t symbol)
{
	/* For gprof the last symbol has no end, and gets no samples. */
	return symbol < gnu->places ? gnu->symbols.items[symbol].place->low / 2 : 0;
}

/* Gives SYMBOL its part of COUNT, which was sampled between the units LOW and HIGH. */
static void credit(struct prof_gnu *gnu, uint32_t symbol, uint64_t low, uint64_t high, double count)
{
	uint64_t first = unit_of(gnu, symbol);
	uint64_t end = unit_of(gnu, symbol + 1);
	uint64_t overlap = (high < end ? high : end) - (low > first ? low : first);

	if (!overlap)
		return;
	double part = (double)overlap * count / prof_gmon_scale(gnu->gmon);
	if (prof_gnu_is_flat(gnu, symbol))
		gnu->symbols.items[symbol].time += part;
	else
		gnu->total -= part;
}

/* Divides a bin among the symbols whose code it covers, in proportion to the overlap. */
static void assign(struct prof_gnu *gnu)
{
	const struct prof_gmon *gmon = gnu->gmon;
	double scale = prof_gmon_scale(gmon);
	uint32_t symbol = 0;

	for (size_t i = 0; i < gmon->bins.count; i++) {
		const struct prof_bin *bin = &gmon->bins.items[i];
		uint64_t begin = gmon->histograms.items[bin->histogram].low / 2;
		uint64_t low = begin + (uint64_t)(scale * (double)bin->part);
		uint64_t high = begin + (uint64_t)(scale * ((double)bin->part + 1));
		double count = bin->samples;
		/* Histograms need not stand in the order of their addresses. */
		if (i && bin->histogram != bin[-1].histogram)
			symbol = 0;
		gnu->total += count;
		/* The symbol in which the bin before ended may cover more bins. */
		symbol -= symbol > 0;
		for (; symbol < gnu->places && high >= unit_of(gnu, symbol); symbol++) {
			if (low < unit_of(gnu, symbol + 1))
				credit(gnu, symbol, low, high, count);
		}
	}
}

/* Adds CALLS to the arc from CALLER to CALLEE, which is new at the head of its lists. */
static struct prof_error *add_arc(struct prof_gnu *gnu, struct prof_map *index, uint32_t caller,
	uint32_t callee, uint64_t calls)
{
	uint64_t key = prof_map_pair(caller, callee);
	uint32_t number = prof_map_get(index, key);

	gnu->symbols.items[callee].calls += calls;
	if (number != PROF_NONE) {
		gnu->arcs.items[number].calls += calls;
		return NULL;
	}
	number = (uint32_t)gnu->arcs.count;
	struct prof_gnu_arc *arc = prof_map_push(index, key, &gnu->arcs);
	if (!arc)
		return prof_error_nomem();
	*arc = (struct prof_gnu_arc){
		.caller = caller,
		.callee = callee,
		.calls = calls,
		.next_caller = gnu->symbols.items[callee].callers,
		.next_callee = gnu->symbols.items[caller].callees,
	};
	gnu->symbols.items[callee].callers = number;
	gnu->symbols.items[caller].callees = number;
	return NULL;
}

/*
 * The function around CALLEE: with lines, symbols are parts of functions, and a call goes to the
 * first.
 */
static uint32_t function_of(const struct prof_gnu *gnu, uint32_t callee)
{
	while (callee != PROF_NONE && !gnu->symbols.items[callee].place->marked)
		callee = callee ? callee - 1 : PROF_NONE;
	return callee;
}

static struct prof_error *add_arcs(
	struct prof_gnu *gnu, const struct prof_image_symbols *places, const char *cut)
{
	PROF_AUTO(prof_map_deinit) struct prof_map index = {0};
	struct prof_gnu_cuts *cuts;
	struct prof_error *error = prof_gnu_cuts_create(gnu, cut, &cuts);

	if (error)
		return error;
	for (size_t i = 0; !error && i < gnu->gmon->arcs.count; i++) {
		const struct prof_gmon_arc *arc = &gnu->gmon->arcs.items[i];
		uint32_t caller = prof_image_symbols_find(places, arc->from);
		uint32_t callee = function_of(gnu, prof_image_symbols_find(places, arc->to));
		if (caller == PROF_NONE || callee == PROF_NONE ||
			prof_gnu_cuts_have(cuts, &places->items[caller], &places->items[callee]))
			continue;
		error = add_arc(gnu, &index, caller, callee, arc->calls);
	}
	prof_gnu_cuts_destroy(cuts);
	return error;
}

/* By time; with equal times, cycles first, then names without an underscore, then calls. */
static int compare_symbols(const void *left, const void *right, void *context)
{
	const struct prof_gnu *gnu = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	const struct prof_gnu_symbol *one = &gnu->symbols.items[a];
	const struct prof_gnu_symbol *other = &gnu->symbols.items[b];
	double difference = (one->self + one->child) - (other->self + other->child);

	if (difference < 0 || difference > 0)
		return difference < 0 ? 1 : -1;
	if (!one->place || !other->place)
		return one->place ? 1 : other->place ? -1 : (a > b) - (a < b);
	const char *name = prof_gnu_text(gnu, one->place->name);
	const char *other_name = prof_gnu_text(gnu, other->place->name);
	if ((*name == '_') != (*other_name == '_'))
		return *name == '_' ? 1 : -1;
	if (one->calls != other->calls)
		return one->calls > other->calls ? -1 : 1;
	int result = strcmp(name, other_name);
	return result ? result : (a > b) - (a < b);
}

static struct prof_error *number_entries(struct prof_gnu *gnu)
{
	size_t count = gnu->symbols.count;

	gnu->order = malloc((count + 1) * sizeof *gnu->order);
	if (!gnu->order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++)
		gnu->order[i] = i;
	qsort_r(gnu->order, count, sizeof *gnu->order, compare_symbols, gnu);
	for (uint32_t i = 0; i < count; i++)
		gnu->symbols.items[gnu->order[i]].index = i + 1;
	return NULL;
}

struct prof_error *prof_gnu_create(const struct prof_experiment *experiment,
	const struct prof_gnu_choice *choice, struct prof_gnu **ret)
{
	PROF_AUTO(gnu_auto) struct prof_gnu *gnu = calloc(1, sizeof *gnu);
	const struct prof_gmon *gmon = &experiment->gmon;
	const struct prof_image_symbols *places = choice->lines ? &gmon->lines : &gmon->functions;

	if (!gnu)
		return prof_error_nomem();
	gnu->experiment = experiment;
	gnu->gmon = gmon;
	gnu->lines = choice->lines;
	struct prof_error *error = add_places(gnu, places);
	if (!error)
		error = prof_gnu_choose(gnu, choice);
	if (!error)
		error = add_arcs(gnu, places, choice->cut);
	if (error)
		return error;
	assign(gnu);
	error = prof_gnu_find_cycles(gnu);
	if (!error)
		error = prof_gnu_propagate(gnu);
	if (!error)
		error = number_entries(gnu);
	if (!error)
		*ret = steal(&gnu);
	return error;
}
