/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/calls.h"

#include "base/value.h"
#include "model/call_tree.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/single_calls.h"
#include "model/state.h"

#include <stdlib.h>

/*
 * The time of each node in TREE with all that it called, in a new array; NULL: no memory.  A node
 * comes before all that it called.
 */
static int64_t *add_up(const struct prof_tree *tree)
{
	int64_t *durations = calloc(tree->nodes.count, sizeof *durations);

	for (size_t i = tree->nodes.count; durations && i-- > 1;) {
		const struct prof_node *node = &tree->nodes.items[i];
		durations[i] += node->time;
		durations[node->parent] += durations[i];
	}
	return durations;
}

/* Adds the sample of NODE, with the stack PATH. */
static struct prof_error *add_sample(struct prof_experiment *experiment,
	const struct prof_node *node, uint32_t path, const struct prof_calls_terms *terms)
{
	const struct prof_sample sample = {.thread = terms->thread,
		.path = path,
		.state = PROF_STATE_USER,
		.time = node->begin - terms->start};
	const prof_value values[PROF_QUANTITIES] = {
		[PROF_QUANTITY_SAMPLES] = prof_value_scale(
			prof_value_of(node->cost), terms->unit.numerator, terms->unit.denominator),
		[PROF_QUANTITY_SPENT + PROF_STATE_USER] = prof_value_of(node->time)};

	return prof_experiment_sample(experiment, &sample, values);
}

/* Makes the last sample a single call. */
static struct prof_error *add_call(
	struct prof_experiment *experiment, const struct prof_node *node, int64_t duration)
{
	const struct prof_single_call call = {
		.sample = (uint32_t)experiment->samples.count - 1,
		.duration = duration,
		.end = (uint8_t)node->end,
	};

	return prof_single_call_add(experiment, &call);
}

struct prof_error *prof_calls_add(struct prof_experiment *experiment, const struct prof_tree *tree,
	const struct prof_calls_terms *terms, const struct prof_progress *progress)
{
	AUTO_FREE uint32_t *paths = calloc(tree->nodes.count, sizeof *paths);
	AUTO_FREE int64_t *durations = add_up(tree);
	struct prof_error *error = paths && durations ? NULL : prof_error_nomem();

	for (size_t i = 1; !error && i < tree->nodes.count; i++) {
		const struct prof_node *node = &tree->nodes.items[i];
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				progress, "Adding calls", i, tree->nodes.count);
		if (!error)
			error = prof_experiment_path(
				experiment, paths[node->parent], node->name, &paths[i]);
		if (!error)
			error = add_sample(experiment, node, paths[i], terms);
		if (!error && terms->timed)
			error = add_call(experiment, node, durations[i]);
	}
	return error;
}
