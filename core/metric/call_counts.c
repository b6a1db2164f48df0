/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/call_counts.h"

#include "model/arc_kind.h"
#include "model/arcs.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/single_calls.h"

#include <stdlib.h>
#include <string.h>

void prof_call_counts_deinit(struct prof_call_counts *calls)
{
	free(calls->list.items);
	free(calls->functions.items);
	free(calls->known.items);
	*calls = (struct prof_call_counts){0};
}

/* Notes that calls of FUNCTION were counted or traced: all of them, as far as is known yet. */
static struct prof_error *know(struct prof_call_counts *calls, uint32_t function)
{
	if (function >= calls->known.count) {
		size_t more = function + 1 - calls->known.count;
		if (!prof_array_reserve(&calls->known, more))
			return prof_error_nomem();
		memset(calls->known.items + calls->known.count, PROF_KNOWN_NONE, more);
		calls->known.count += more;
	}
	uint8_t *known = &calls->known.items[function];
	if (*known == PROF_KNOWN_NONE) {
		uint32_t *added = prof_array_push(&calls->functions);
		if (!added)
			return prof_error_nomem();
		*added = function;
		*known = PROF_KNOWN_ALL;
	}
	return NULL;
}

/* The function that the arc COUNTED is of. */
static struct prof_error *find_callee(
	struct prof_items *items, const struct prof_arc *counted, uint32_t *ret)
{
	uint32_t outermost = prof_items_depth(items, counted->callee) - 1;

	return prof_items_of(items, counted->callee, outermost, ret);
}

static struct prof_error *add(
	struct prof_call_counts *calls, struct prof_items *items, const struct prof_arc *counted)
{
	struct prof_call_count count = {.calls = prof_value_of((int64_t)counted->calls)};
	struct prof_error *error = find_callee(items, counted, &count.callee);

	if (!error)
		error = prof_items_of(items, counted->caller, 0, &count.caller);
	if (!error)
		error = know(calls, count.callee);
	if (error || counted->kind != PROF_ARC_CALLS)
		return error;
	struct prof_call_count *added = prof_array_push(&calls->list);
	if (!added)
		return prof_error_nomem();
	*added = count;
	return NULL;
}

/* Adds COUNT traced calls of the function in which the stack PATH ends. */
static struct prof_error *add_traced(struct prof_call_counts *calls, struct prof_items *items,
	uint32_t path, int64_t count, const bool *counted, size_t known)
{
	const struct prof_experiment *experiment = items->experiment;
	struct prof_call_count call = {.caller = PROF_NONE, .calls = prof_value_of(count)};
	const struct prof_path *at = &experiment->paths.items[path];
	uint32_t outermost = prof_items_depth(items, at->frame) - 1;
	struct prof_error *error = prof_items_of(items, at->frame, outermost, &call.callee);

	if (!error && at->parent)
		error = prof_items_of(
			items, experiment->paths.items[at->parent].frame, 0, &call.caller);
	if (error || (counted && call.callee < known && counted[call.callee]))
		return error;
	size_t before = calls->functions.count;
	error = know(calls, call.callee);
	calls->traced += calls->functions.count - before;
	struct prof_call_count *added = error ? NULL : prof_array_push(&calls->list);
	if (error || !added)
		return error ? error : prof_error_nomem();
	*added = call;
	if (experiment->recording.events_lost)
		calls->known.items[call.callee] = PROF_KNOWN_PART;
	return NULL;
}

/* Adds the traced calls of functions whose calls were not counted. */
static struct prof_error *add_all_traced(struct prof_call_counts *calls, struct prof_items *items)
{
	const struct prof_experiment *experiment = items->experiment;
	AUTO_CURSOR struct prof_cursor samples = {.experiment = experiment};
	AUTO_FREE bool *counted = calloc(calls->known.count + 1, sizeof *counted);
	struct prof_traced_rows_place place = {0};
	size_t known = calls->known.count;
	struct prof_error *error = counted ? NULL : prof_error_nomem();

	for (size_t i = 0; i < known && !error; i++)
		counted[i] = calls->known.items[i] != PROF_KNOWN_NONE;
	for (size_t i = 0; i < experiment->traced.count && !error; i++) {
		const struct prof_traced_row *traced =
			prof_traced_rows_get(&experiment->traced, &place, i);
		if (!traced->values[PROF_TRACED_CALLS])
			continue;
		const struct prof_sample_row *row = prof_cursor_at(&samples, traced->sample);
		if (!row)
			return prof_cursor_error(&samples);
		if (row->sample.path)
			error = add_traced(calls, items, row->sample.path,
				traced->values[PROF_TRACED_CALLS], counted, known);
	}
	return error;
}

/* Adds single calls, which are neither counted nor traced. */
static struct prof_error *add_single(struct prof_call_counts *calls, struct prof_items *items)
{
	const struct prof_experiment *experiment = items->experiment;
	AUTO_CURSOR struct prof_cursor samples = {.experiment = experiment};
	AUTO_FREE int64_t *counts = calloc(experiment->paths.count + 1, sizeof *counts);
	struct prof_error *error = counts ? NULL : prof_error_nomem();

	for (size_t i = 0; !error && i < experiment->calls.count; i++) {
		const struct prof_single_call call = prof_single_calls_get(&experiment->calls, i);
		const struct prof_sample_row *row = prof_cursor_at(&samples, call.sample);
		if (!row)
			return prof_cursor_error(&samples);
		counts[row->sample.path]++;
	}
	for (uint32_t i = 1; !error && i < experiment->paths.count; i++) {
		if (counts[i])
			error = add_traced(calls, items, i, counts[i], NULL, 0);
	}
	return error;
}

/* Of what was counted or traced: the functions some of whose calls were not. */
static struct prof_error *find_parts(struct prof_call_counts *calls, struct prof_items *items)
{
	const struct prof_experiment *experiment = items->experiment;
	struct prof_error *error = NULL;

	for (size_t i = 0; i < experiment->arcs.count && !error; i++) {
		const struct prof_arc *arc = &experiment->arcs.items[i];
		uint32_t function;
		if (arc->kind != PROF_ARC_PART)
			continue;
		error = find_callee(items, arc, &function);
		if (!error && prof_call_counts_known(calls, function) != PROF_KNOWN_NONE)
			calls->known.items[function] = PROF_KNOWN_PART;
	}
	return error;
}

struct prof_error *prof_call_counts_init(
	struct prof_call_counts *calls, const struct prof_experiment *experiment, bool inlined)
{
	AUTO_ITEMS struct prof_items items;
	struct prof_error *error = NULL;

	*calls = (struct prof_call_counts){0};
	prof_items_init(&items, experiment, PROF_KIND_FUNCTIONS, inlined);
	for (size_t i = 0; i < experiment->arcs.count && !error; i++) {
		if (experiment->arcs.items[i].kind != PROF_ARC_PART)
			error = add(calls, &items, &experiment->arcs.items[i]);
	}
	calls->counted = calls->list.count;
	if (!error)
		error = add_all_traced(calls, &items);
	if (!error && experiment->calls.count)
		error = add_single(calls, &items);
	return error ? error : find_parts(calls, &items);
}

bool prof_call_counts_exist(const struct prof_experiment *experiment)
{
	struct prof_traced_rows_place place = {0};
	bool exist = prof_arcs_are_counted(experiment) || experiment->calls.count;

	for (size_t i = 0; i < experiment->traced.count && !exist; i++)
		exist = prof_traced_rows_get(&experiment->traced, &place, i)
				->values[PROF_TRACED_CALLS];
	return exist && !experiment->arc_values.count;
}
