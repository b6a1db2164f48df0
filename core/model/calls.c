/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/calls.h"

#include "base/value.h"
#include "model/call_tree.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/state.h"

#include <stdlib.h>

struct prof_error *prof_calls_add(struct prof_experiment *experiment, const struct prof_tree *tree,
	const struct prof_calls_terms *terms, const struct prof_progress *progress)
{
	AUTO_FREE uint32_t *paths = calloc(tree->nodes.count, sizeof *paths);
	struct prof_error *error = paths ? NULL : prof_error_nomem();

	for (size_t i = 1; !error && i < tree->nodes.count; i++) {
		const struct prof_node *node = &tree->nodes.items[i];
		struct prof_sample sample = {.thread = terms->thread,
			.state = PROF_STATE_USER,
			.time = node->begin - terms->start};
		const prof_value values[PROF_QUANTITIES] = {
			[PROF_QUANTITY_SAMPLES] = prof_value_scale(prof_value_of(node->cost),
				terms->unit.numerator, terms->unit.denominator),
			[PROF_QUANTITY_SPENT + PROF_STATE_USER] = prof_value_of(node->time)};
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				progress, "Adding calls", i, tree->nodes.count);
		if (!error)
			error = prof_experiment_path(
				experiment, paths[node->parent], node->name, &paths[i]);
		sample.path = paths[i];
		if (!error)
			error = prof_experiment_sample(experiment, &sample, values);
	}
	return error;
}
