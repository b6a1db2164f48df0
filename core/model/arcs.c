/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/arcs.h"

#include "model/experiment.h"

#include <assert.h>
#include <string.h>

bool prof_arc_is_valid(const struct prof_experiment *experiment, const struct prof_arc *arc)
{
	size_t frames = experiment->frames.count;
	bool calls = arc->kind == PROF_ARC_CALLS || arc->kind == PROF_ARC_COST;
	bool none = arc->kind == PROF_ARC_BEGIN || arc->kind == PROF_ARC_PART;

	return arc->kind < PROF_ARC_KINDS && arc->callee < frames && arc->caller < frames &&
		(calls || arc->caller == arc->callee) && (!none || !arc->calls) &&
		arc->calls <= INT64_MAX;
}

/* Do arcs of KIND have a cost? */
static bool has_cost(uint8_t kind)
{
	return kind == PROF_ARC_COST || kind == PROF_ARC_OUTERMOST;
}

bool prof_arc_value_is_valid(
	const struct prof_experiment *experiment, const struct prof_arc_value *value)
{
	size_t count = experiment->arc_values.count;

	if (value->arc >= experiment->arcs.count ||
		!has_cost(experiment->arcs.items[value->arc].kind) ||
		value->quantity >= PROF_QUANTITIES || value->value < 0 ||
		value->value > PROF_VALUE_MOST)
		return false;
	if (!count)
		return true;
	const struct prof_arc_value *last = &experiment->arc_values.items[count - 1];
	return last->arc < value->arc ||
		(last->arc == value->arc && last->quantity < value->quantity);
}

bool prof_arcs_are_counted(const struct prof_experiment *experiment)
{
	bool counted = false;

	for (size_t i = 0; i < experiment->arcs.count && !counted; i++)
		counted = experiment->arcs.items[i].kind != PROF_ARC_PART;
	return counted;
}

struct prof_error *prof_experiment_arc(
	struct prof_experiment *experiment, const struct prof_arc *arc)
{
	assert(prof_arc_is_valid(experiment, arc));
	struct prof_arc *added =
		experiment->arcs.count < PROF_NONE ? prof_array_push(&experiment->arcs) : NULL;
	if (!added)
		return prof_error_nomem();
	*added = *arc;
	return NULL;
}

struct prof_error *prof_experiment_arc_value(
	struct prof_experiment *experiment, const struct prof_arc_value *value)
{
	assert(prof_arc_value_is_valid(experiment, value));
	struct prof_arc_value *added = prof_array_push(&experiment->arc_values);
	if (!added)
		return prof_error_nomem();
	*added = *value;
	return NULL;
}

struct prof_error *prof_experiment_arc_cost(struct prof_experiment *experiment, uint32_t caller,
	uint32_t callee, uint64_t calls, const prof_value values[PROF_QUANTITIES])
{
	const struct prof_arc arc = {
		.callee = callee,
		.caller = caller == PROF_NONE ? callee : caller,
		.calls = calls,
		.kind = caller == PROF_NONE ? PROF_ARC_OUTERMOST : PROF_ARC_COST,
	};
	struct prof_error *error = prof_experiment_arc(experiment, &arc);

	/* Each arc with a cost has a value, even if that is 0. */
	for (uint8_t i = 0; !error && i < PROF_QUANTITIES; i++) {
		const struct prof_arc_value value = {
			(uint32_t)experiment->arcs.count - 1, i, values[i]};
		if (values[i] || i == PROF_QUANTITY_SAMPLES)
			error = prof_experiment_arc_value(experiment, &value);
	}
	return error;
}

bool prof_arc_costs_next(struct prof_arc_costs *costs)
{
	const struct prof_arc_value *values = costs->experiment->arc_values.items;
	size_t count = costs->experiment->arc_values.count;

	if (costs->next >= count)
		return false;
	uint32_t number = values[costs->next].arc;
	const struct prof_arc *arc = &costs->experiment->arcs.items[number];
	costs->caller = arc->kind == PROF_ARC_OUTERMOST ? PROF_NONE : arc->caller;
	costs->callee = arc->callee;
	costs->calls = arc->calls;
	memset(costs->values, 0, sizeof costs->values);
	for (; costs->next < count && values[costs->next].arc == number; costs->next++)
		costs->values[values[costs->next].quantity] = values[costs->next].value;
	return true;
}

size_t prof_arc_costs_count(const struct prof_experiment *experiment)
{
	size_t count = 0;

	for (size_t i = 0; i < experiment->arcs.count; i++)
		count += has_cost(experiment->arcs.items[i].kind);
	return count;
}
