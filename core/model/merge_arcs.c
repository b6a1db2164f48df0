/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/map.h"
#include "model/arcs.h"
#include "model/contents.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/merge.h"
#include "model/traced.h"
#include "model/traced_rows.h"

/* What is known of calls in each of two experiments: sets of frames, where functions are entered.
 */
struct known {
	struct prof_map counted; /* by arcs */
	struct prof_map traced;  /* only by tracing */
};

static void known_deinit(struct known *known)
{
	prof_map_deinit(&known->counted);
	prof_map_deinit(&known->traced);
}

/* Adds FRAME to FRAMES, a set.  False: no memory. */
static bool note(struct prof_map *frames, uint32_t frame)
{
	return prof_map_get(frames, frame) != PROF_NONE || prof_map_add(frames, frame, frame);
}

/*
 * Notes the functions of INTO's traced calls that were not counted: in BEFORE those with a sample
 * before FIRST, and the others in ADDED.
 */
static struct prof_error *note_traced(
	const struct prof_experiment *into, size_t first, struct known *before, struct known *added)
{
	AUTO_CURSOR struct prof_cursor samples = {.experiment = into};
	struct prof_traced_rows_place place = {0};

	for (size_t i = 0; i < into->traced.count && into->calls_traced; i++) {
		const struct prof_traced_row *traced =
			prof_traced_rows_get(&into->traced, &place, i);
		struct known *known = traced->sample < first ? before : added;
		if (!traced->values[PROF_TRACED_CALLS])
			continue;
		const struct prof_sample_row *row = prof_cursor_at(&samples, traced->sample);
		if (!row)
			return prof_cursor_error(&samples);
		uint32_t frame = into->paths.items[row->sample.path].frame;
		if (row->sample.path && prof_map_get(&known->counted, frame) == PROF_NONE &&
			!note(&known->traced, frame))
			return prof_error_nomem();
	}
	return NULL;
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

/* The same of what is known in one of two, and not known in the same way in the other. */
static struct prof_error *add_differences(struct prof_experiment *into, int64_t time,
	const struct known *one, const struct known *other)
{
	struct prof_error *error = add_parts(into, time, &one->counted, &other->counted);

	return error ? error : add_parts(into, time, &one->traced, &other->traced);
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
	const uint32_t *frames, size_t first, int64_t shift)
{
	PROF_AUTO(known_deinit) struct known known = {0};
	PROF_AUTO(known_deinit) struct known added = {0};
	size_t before = into->arcs.count;
	struct prof_error *error = NULL;

	for (size_t i = 0; i < before; i++) {
		if (!note(&known.counted, into->arcs.items[i].callee))
			return prof_error_nomem();
	}
	for (size_t i = 0; i < from->arcs.count && !error; i++) {
		struct prof_arc arc = from->arcs.items[i];
		arc.time += shift;
		arc.callee = frames[arc.callee];
		arc.caller = frames[arc.caller];
		if (!note(&added.counted, arc.callee))
			return prof_error_nomem();
		error = prof_experiment_arc(into, &arc);
	}
	if (!error)
		error = merge_values(into, from, before);
	/* Costs come with all of the calls. */
	if (error || !(prof_experiment_has(into) & PROF_HAS_STACKS))
		return error;
	error = note_traced(into, first, &known, &added);
	if (!error)
		error = add_differences(into, shift, &known, &added);
	return error ? error : add_differences(into, shift, &added, &known);
}
