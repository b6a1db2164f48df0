/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/profile.h"

#include "base/progress.h"
#include "metric/metric.h"
#include "model/arcs.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/traced_rows.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

/* The node below PARENT for FRAME; of the items at its place, the outermost comes first. */
static struct prof_error *add_frame(struct prof_calltree *tree, struct prof_items *items,
	uint32_t parent, uint32_t frame, uint32_t *ret)
{
	uint32_t node = parent;

	for (uint32_t i = prof_items_depth(items, frame); i-- > 0;) {
		uint32_t item;
		struct prof_error *error = prof_items_of(items, frame, i, &item);
		if (!error)
			error = prof_calltree_child(tree, node, item, &node);
		if (error)
			return error;
	}
	*ret = node;
	return NULL;
}

/*
 * Finds the paths of EXPERIMENT to show: ALL, or those with a value in VALUES and their parents. A
 * stack in which a thread only slept does not belong into a profile of CPU time.
 */
static bool *find_shown(
	const struct prof_experiment *experiment, const prof_value *values, bool all)
{
	const struct prof_path *paths = experiment->paths.items;
	bool *shown = calloc(experiment->paths.count, sizeof *shown);

	for (size_t i = experiment->paths.count; shown && i-- > 1;) {
		shown[i] |= all || values[i];
		shown[paths[i].parent] |= shown[i];
	}
	return shown;
}

/*
 * Adds the SHOWN paths of the experiment to TREE, made of ITEMS; NODES becomes the node of each
 * path.  Paths are numbered in the order of first encounter, so nodes are too.
 */
static struct prof_error *add_paths(struct prof_calltree *tree, struct prof_items *items,
	const struct prof_progress *progress, const bool *shown, uint32_t *nodes)
{
	const struct prof_experiment *experiment = items->experiment;
	const struct prof_path *paths = experiment->paths.items;
	size_t count = experiment->paths.count;

	nodes[0] = 0;
	for (size_t i = 1; i < count; i++) {
		struct prof_error *error = NULL;
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(progress, "Building the call tree", i, count);
		if (!error && shown[i])
			error = add_frame(
				tree, items, nodes[paths[i].parent], paths[i].frame, &nodes[i]);
		if (error)
			return error;
	}
	return NULL;
}

/*
 * Builds PROFILE's tree of ITEMS, and moves VALUES, by path, to its nodes.  See find_shown() for
 * ALL.
 */
static struct prof_error *build(struct prof_profile *profile, struct prof_items *items,
	const struct prof_progress *progress, const prof_value *values, bool all)
{
	const struct prof_experiment *experiment = items->experiment;
	uint32_t *nodes = calloc(experiment->paths.count, sizeof *nodes);
	AUTO_FREE bool *shown = find_shown(experiment, values, all);

	profile->nodes = nodes;
	if (!nodes || !shown)
		return prof_error_nomem();
	struct prof_error *error = add_paths(&profile->tree, items, progress, shown, nodes);
	if (!error && values[0]) {
		uint32_t item;
		error = prof_items_of_nothing(items, &item);
		if (!error)
			error = prof_calltree_child(&profile->tree, 0, item, &nodes[0]);
	}
	if (error)
		return error;

	size_t count = profile->tree.nodes.count;
	profile->self = calloc(count, sizeof *profile->self);
	profile->inclusive = calloc(count, sizeof *profile->inclusive);
	if (!profile->self || !profile->inclusive)
		return prof_error_nomem();
	for (size_t i = 0; i < experiment->paths.count; i++)
		profile->self[nodes[i]] += values[i];
	for (size_t i = 0; i < count; i++)
		profile->inclusive[i] = profile->self[i];
	prof_calltree_accumulate(&profile->tree, profile->inclusive);
	return NULL;
}

/* Adds the costs of calls, made of ITEMS. */
static struct prof_error *add_calls(struct prof_profile *profile, struct prof_items *items)
{
	const struct prof_experiment *experiment = items->experiment;
	struct prof_arc_costs costs = {.experiment = experiment};
	prof_quantities quantities =
		prof_metric_has_shares(profile->metric) ? 0 : profile->metric->quantities;
	struct prof_error *error = NULL;

	while (!error && prof_arc_costs_next(&costs)) {
		const struct prof_frame *callee = &experiment->frames.items[costs.callee];
		struct prof_profile_call *call = prof_array_push(&profile->calls);
		if (!call)
			return prof_error_nomem();
		*call = (struct prof_profile_call){.caller = PROF_NONE,
			.function = experiment->locations.items[callee->first_location].function,
			.calls = costs.calls};
		for (int j = 0; j < PROF_QUANTITIES; j++)
			call->value += quantities & PROF_QUANTITY_BIT(j) ? costs.values[j] : 0;
		error = prof_items_of(items, costs.callee, 0, &call->callee);
		if (!error && costs.caller != PROF_NONE)
			error = prof_items_of(items, costs.caller, 0, &call->caller);
	}
	return error;
}

struct prof_error *prof_profile_create(const struct prof_experiment *experiment,
	const struct prof_profile_request *request, const struct prof_progress *progress,
	struct prof_profile **ret)
{
	AUTO_FREE prof_value *values = NULL;
	struct prof_error *error = prof_metric_by_path(
		experiment, request->metric, request->selection, progress, &values);
	if (error)
		return error;

	struct prof_profile *profile = calloc(1, sizeof *profile);
	if (!profile)
		return prof_error_nomem();
	profile->experiment = experiment;
	profile->metric = request->metric;
	prof_items_init(&profile->functions, experiment, PROF_KIND_FUNCTIONS, true);
	struct prof_items *items = request->items ? request->items : &profile->functions;
	profile->items = items;
	error = prof_calltree_init(&profile->tree);
	/* Imported stacks are shown as they are, also those without weight. */
	bool all = !prof_experiment_is_sampled(experiment) && !experiment->traced.count &&
		!request->selection;
	if (!error)
		error = build(profile, items, progress, values, all);
	if (!error)
		error = add_calls(profile, items);
	if (error) {
		prof_profile_destroy(profile);
		return error;
	}
	*ret = profile;
	return NULL;
}

void prof_profile_destroy(struct prof_profile *profile)
{
	if (!profile)
		return;
	prof_calltree_deinit(&profile->tree);
	prof_items_deinit(&profile->functions);
	free(profile->self);
	free(profile->inclusive);
	free(profile->calls.items);
	free(profile->nodes);
	free(profile);
}

void prof_profile_check(const struct prof_profile *profile)
{
	const struct prof_calltree *tree = &profile->tree;
	prof_value total = 0;

	prof_calltree_check(tree);
	assert(tree->functions <= prof_items_count(profile->items));
	for (size_t i = 0; i < tree->nodes.count; i++) {
		assert(profile->self[i] >= 0);
		assert(profile->inclusive[i] >= profile->self[i]);
		/* The value of a node is also part of its parent's. */
		assert(!i ||
			profile->inclusive[tree->nodes.items[i].parent] >= profile->inclusive[i]);
		total += profile->self[i];
	}
	assert(profile->inclusive[0] == total);
}
