/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/map.h"
#include "model/arcs.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/merge.h"

/* Adds FRAME to FRAMES, a set.  False: no memory. */
static bool note(struct prof_map *frames, uint32_t frame)
{
	return prof_map_get(frames, frame) != PROF_NONE || prof_map_add(frames, frame, frame);
}

/* In the sum, the calls of those functions of INTO that are not in BOTH are incomplete. */
static struct prof_error *add_parts(struct prof_experiment *into, int64_t time,
	const struct prof_map *callees, const struct prof_map *both)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < callees->capacity && !error; i++) {
		uint32_t callee = callees->slots[i].value;
		struct prof_arc part = {time, callee, callee, 0, PROF_ARC_PART};
		if (callee != PROF_NONE && prof_map_get(both, callee) == PROF_NONE)
			error = prof_experiment_arc(into, &part);
	}
	return error;
}

/* Adds the costs of FROM's arcs; INTO had BEFORE arcs before it got them. */
static struct prof_error *merge_values(
	struct prof_experiment *into, const struct prof_experiment *from, size_t before)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < from->arc_values.count && !error; i++) {
		struct prof_arc_value value = from->arc_values.items[i];
		value.arc += (uint32_t)before;
		error = prof_experiment_arc_value(into, &value);
	}
	return error;
}

struct prof_error *prof_merge_arcs(struct prof_experiment *into, const struct prof_experiment *from,
	const uint32_t *frames, int64_t shift)
{
	PROF_AUTO(prof_map_deinit) struct prof_map known = {0};
	PROF_AUTO(prof_map_deinit) struct prof_map added = {0};
	size_t before = into->arcs.count;
	struct prof_error *error = NULL;

	for (size_t i = 0; i < before; i++) {
		if (!note(&known, into->arcs.items[i].callee))
			return prof_error_nomem();
	}
	for (size_t i = 0; i < from->arcs.count && !error; i++) {
		struct prof_arc arc = from->arcs.items[i];
		arc.time += shift;
		arc.callee = frames[arc.callee];
		arc.caller = frames[arc.caller];
		if (!note(&added, arc.callee))
			return prof_error_nomem();
		error = prof_experiment_arc(into, &arc);
	}
	if (!error)
		error = merge_values(into, from, before);
	/* Costs come with all of the calls. */
	if (error || !(prof_experiment_has(into) & PROF_HAS_STACKS))
		return error;
	error = add_parts(into, shift, &known, &added);
	return error ? error : add_parts(into, shift, &added, &known);
}
