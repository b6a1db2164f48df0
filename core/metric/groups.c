/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/groups.h"

#include "base/map.h"
#include "metric/calltree.h"
#include "metric/profile.h"
#include "metric/walk.h"

#include <stdlib.h>

struct prof_error *prof_grouping_init(struct prof_grouping *grouping, size_t count, size_t groups)
{
	*grouping = (struct prof_grouping){
		.own = malloc((count + 1) * sizeof *grouping->own),
		.within = malloc((count + 1) * sizeof *grouping->within),
		.groups = groups,
	};
	if (!grouping->own || !grouping->within)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++)
		grouping->own[i] = grouping->within[i] = PROF_NONE;
	return NULL;
}

void prof_grouping_deinit(struct prof_grouping *grouping)
{
	free(grouping->own);
	free(grouping->within);
	*grouping = (struct prof_grouping){0};
}

/*
 * Adds the costs of calls out of each group to INCLUSIVE.  Recursion counts them again and again:
 * more than the total is shown as the total.
 */
static void add_calls(const struct prof_profile *profile, const struct prof_grouping *grouping,
	prof_value *inclusive)
{
	prof_value total = profile->inclusive[0];

	for (size_t i = 0; i < profile->calls.count; i++) {
		const struct prof_profile_call *call = &profile->calls.items[i];
		uint32_t group =
			call->caller == PROF_NONE ? PROF_NONE : grouping->within[call->caller];
		if (group == PROF_NONE || group == grouping->within[call->callee])
			continue;
		inclusive[group] += call->value;
		if (inclusive[group] > total)
			inclusive[group] = total;
	}
}

struct prof_error *prof_groups_measure(const struct prof_profile *profile,
	const struct prof_grouping *grouping, prof_value *exclusive, prof_value *inclusive)
{
	/* By group: how many of its items are on the walk's path. */
	AUTO_FREE uint32_t *depth = calloc(grouping->groups + 1, sizeof *depth);
	AUTO_WALK struct prof_walk walk = {0};
	struct prof_error *error = prof_walk_init(&walk, &profile->tree);

	if (!error && !depth)
		error = prof_error_nomem();
	if (error)
		return error;
	while (prof_walk_next(&walk)) {
		if (!walk.node)
			continue;
		uint32_t item = profile->tree.nodes.items[walk.node].function;
		uint32_t own = grouping->own[item];
		uint32_t within = grouping->within[item];
		if (walk.entering && own != PROF_NONE)
			exclusive[own] += profile->self[walk.node];
		if (within == PROF_NONE)
			continue;
		if (!walk.entering)
			depth[within]--;
		else if (!depth[within]++)
			inclusive[within] += profile->inclusive[walk.node];
	}
	add_calls(profile, grouping, inclusive);
	return NULL;
}
