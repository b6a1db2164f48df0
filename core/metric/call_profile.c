/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/call_profile.h"

#include "base/map.h"
#include "base/value.h"
#include "metric/call_counts.h"
#include "metric/calltree.h"
#include "metric/items.h"
#include "metric/metric.h"
#include "metric/profile.h"
#include "model/arcs.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/traced.h"

#include <stdlib.h>

bool prof_call_profile_exists(
	const struct prof_experiment *experiment, const struct prof_metric *metric)
{
	return metric->quantities == 1U << (PROF_QUANTITY_TRACED + PROF_TRACED_CALLS) &&
		prof_arcs_are_counted(experiment) && !experiment->arc_values.count;
}

/* Adds the stacks of CALLS to the tree of PROFILE; NODES gets the node of each call. */
static struct prof_error *add_stacks(
	const struct prof_call_counts *calls, struct prof_profile *profile, uint32_t *nodes)
{
	struct prof_error *error = prof_calltree_init(&profile->tree);

	for (size_t i = 0; i < calls->list.count && !error; i++) {
		const struct prof_call_count *call = &calls->list.items[i];
		uint32_t caller = 0;
		if (call->caller != PROF_NONE)
			error = prof_calltree_child(&profile->tree, 0, call->caller, &caller);
		if (!error)
			error = prof_calltree_child(
				&profile->tree, caller, call->callee, &nodes[i]);
	}
	return error;
}

static struct prof_error *build(
	const struct prof_call_counts *calls, struct prof_profile *profile, uint32_t *nodes)
{
	struct prof_error *error = add_stacks(calls, profile, nodes);

	if (error)
		return error;
	size_t count = profile->tree.nodes.count;
	profile->self = calloc(count, sizeof *profile->self);
	profile->inclusive = calloc(count, sizeof *profile->inclusive);
	if (!profile->self || !profile->inclusive)
		return prof_error_nomem();
	for (size_t i = 0; i < calls->list.count; i++) {
		profile->self[nodes[i]] += calls->list.items[i].calls;
		profile->inclusive[nodes[i]] += calls->list.items[i].calls;
	}
	prof_calltree_accumulate(&profile->tree, profile->inclusive);
	return NULL;
}

struct prof_error *prof_call_profile_create(const struct prof_call_counts *calls,
	const struct prof_items *items, const struct prof_metric *metric, struct prof_profile **ret)
{
	AUTO_FREE uint32_t *nodes = calloc(calls->list.count + 1, sizeof *nodes);
	struct prof_profile *profile = calloc(1, sizeof *profile);

	if (!nodes || !profile) {
		free(profile);
		return prof_error_nomem();
	}
	profile->experiment = items->experiment;
	profile->metric = metric;
	profile->items = items;
	struct prof_error *error = build(calls, profile, nodes);
	if (error)
		prof_profile_destroy(profile);
	else
		*ret = profile;
	return error;
}
