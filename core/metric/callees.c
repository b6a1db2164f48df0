/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What listed calls called. */
#include "metric/call_list.h"

#include "base/map.h"
#include "base/search.h"
#include "model/cursor.h"
#include "model/experiment.h"

#include <stdlib.h>

/* A listed call, by when it was: calls with one stack in one thread come one after another. */
struct place {
	uint64_t key; /* its thread, and its path */
	int64_t begin, end;
	uint32_t number; /* of the experiment's calls */
	uint32_t item;   /* of the list */
};

struct places {
	struct place *items; /* sorted */
	size_t count;
	bool *paths;           /* by path: of one of them */
	struct prof_map pairs; /* listed call and function -> callee */
};

static void places_deinit(struct places *places)
{
	free(places->items);
	free(places->paths);
	prof_map_deinit(&places->pairs);
}

/* Calls that begin at the same time are in the order in which they were recorded. */
static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static bool places_init(struct places *places, const struct prof_call_list *list,
	const struct prof_experiment *experiment)
{
	places->items = malloc((list->items.count + 1) * sizeof *places->items);
	places->paths = calloc(experiment->paths.count + 1, sizeof *places->paths);
	if (!places->items || !places->paths)
		return false;
	for (size_t i = 0; i < list->items.count; i++) {
		const struct prof_listed_call *call = &list->items.items[i];
		places->items[places->count++] = (struct place){
			.key = prof_map_pair(call->thread, call->path),
			.begin = call->begin,
			.end = call->begin + call->duration,
			.number = call->number,
			.item = (uint32_t)i,
		};
		places->paths[call->path] = true;
	}
	qsort(places->items, places->count, sizeof *places->items, compare_places);
	return true;
}

/* Was CALL, whose key is its caller's, within the call at PLACE? */
static bool contains(const struct place *place, const struct place *call)
{
	return place->key == call->key && place->begin <= call->begin && call->end <= place->end;
}

/*
 * The listed call that has made CALL, whose key is its caller's; NULL: none of them.  Of two, one
 * of which ends when the other begins, that recorded last before CALL has; but calls may also be
 * recorded when they end, and a caller behind all that it called.
 */
static const struct place *find_caller(const struct places *places, const struct place *call)
{
	size_t next;

	PROF_SEARCH(next, places->count, i, compare_places(&places->items[i], call) <= 0);
	if (next && contains(&places->items[next - 1], call))
		return &places->items[next - 1];
	return next < places->count && contains(&places->items[next], call) ? &places->items[next]
									    : NULL;
}

/* Adds a call of FUNCTION to what the listed call ITEM called. */
static bool add_callee(struct prof_call_list *list, struct places *places, uint32_t item,
	uint32_t function, int64_t duration)
{
	uint64_t pair = prof_map_pair(item, function);
	uint32_t number = prof_map_get(&places->pairs, pair);
	struct prof_call_callee *callee = number == PROF_NONE
		? prof_map_push(&places->pairs, pair, &list->callees)
		: &list->callees.items[number];

	if (!callee)
		return false;
	if (number == PROF_NONE)
		*callee = (struct prof_call_callee){.call = item, .function = function};
	callee->calls++;
	callee->time += prof_value_of(duration);
	return true;
}

/* Adds CALL, the number NUMBER of EXPERIMENT, to what its caller called if that is listed. */
static bool add_call(struct prof_call_list *list, struct places *places,
	const struct prof_experiment *experiment, const struct prof_sample *sample,
	const struct prof_single_call *call, uint32_t number)
{
	uint32_t caller = sample->path ? experiment->paths.items[sample->path].parent : 0;
	const struct place wanted = {.key = prof_map_pair(sample->thread, caller),
		.begin = sample->time,
		.end = sample->time + call->duration,
		.number = number};

	if (!caller || !places->paths[caller])
		return true;
	const struct place *found = find_caller(places, &wanted);
	return !found ||
		add_callee(list, places, found->item, prof_call_function(experiment, sample->path),
			call->duration);
}

/* Adds all that the listed calls called, in any order. */
static struct prof_error *gather(struct prof_call_list *list, struct places *places,
	const struct prof_experiment *experiment, const struct prof_progress *progress)
{
	AUTO_CURSOR struct prof_cursor samples = {.experiment = experiment};
	struct prof_error *error = NULL;

	for (size_t i = 0; i < experiment->calls.count && !error; i++) {
		const struct prof_single_call call = prof_single_calls_get(&experiment->calls, i);
		const struct prof_sample_row *row = prof_cursor_at(&samples, call.sample);
		if (!row)
			return prof_cursor_error(&samples);
		if (!add_call(list, places, experiment, &row->sample, &call, (uint32_t)i))
			return prof_error_nomem();
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				progress, "Looking at callees", i, experiment->calls.count);
	}
	return error;
}

/* By call, the most time first. */
static int compare_callees(const void *left, const void *right)
{
	const struct prof_call_callee *a = left, *b = right;

	if (a->call != b->call)
		return a->call < b->call ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

struct prof_error *prof_call_list_add_callees(struct prof_call_list *list,
	const struct prof_experiment *experiment, const struct prof_progress *progress)
{
	PROF_AUTO(places_deinit) struct places places = {0};

	if (!list->items.count)
		return NULL;
	if (!places_init(&places, list, experiment))
		return prof_error_nomem();
	struct prof_error *error = gather(list, &places, experiment, progress);
	if (error || !list->callees.count)
		return error;
	qsort(list->callees.items, list->callees.count, sizeof *list->callees.items,
		compare_callees);
	for (size_t i = 0; i < list->callees.count; i++) {
		struct prof_listed_call *call = &list->items.items[list->callees.items[i].call];
		if (!call->callees++)
			call->first = i;
	}
	return NULL;
}
