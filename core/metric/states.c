#include "metric/states.h"

#include <stdlib.h>

void prof_states_deinit(struct prof_states *states)
{
	for (int i = 0; i < PROF_STATES; i++)
		free(states->self[i]);
	*states = (struct prof_states){0};
}

enum prof_state prof_states_of(
	const struct prof_experiment *experiment, enum prof_quantity quantity, size_t sample)
{
	return quantity == PROF_QUANTITY_SAMPLES || quantity >= PROF_QUANTITIES_SAMPLED
		? experiment->samples.items[sample].state
		: (enum prof_state)(quantity - PROF_QUANTITY_SPENT);
}

static struct prof_error *add_quantity(struct prof_states *states,
	const struct prof_profile *profile, const struct prof_selection *selection,
	enum prof_quantity quantity, const struct prof_progress *progress)
{
	const struct prof_experiment *experiment = profile->experiment;
	size_t count = experiment->quantities[quantity].count;
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < count; i++) {
		uint32_t node = profile->nodes[experiment->samples.items[i].path];
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(progress, "Adding up states", i, count);
		if (prof_selection_has(selection, i) &&
			prof_selection_counts(selection, experiment, quantity, i) &&
			prof_metric_counts(profile->metric, experiment, i))
			states->self[prof_states_of(experiment, quantity, i)][node] +=
				prof_metric_convert(
					profile->metric, experiment->quantities[quantity].items[i]);
	}
	return error;
}

struct prof_error *prof_states_init(struct prof_states *states, const struct prof_profile *profile,
	const struct prof_selection *selection, const struct prof_progress *progress)
{
	struct prof_error *error = NULL;

	*states = (struct prof_states){0};
	for (int i = 0; i < PROF_STATES; i++) {
		states->self[i] = calloc(profile->tree.nodes.count, sizeof *states->self[i]);
		if (!states->self[i])
			return prof_error_nomem();
	}
	for (int i = 0; !error && i < PROF_QUANTITIES; i++) {
		if (profile->metric->quantities & 1U << i)
			error = add_quantity(states, profile, selection, i, progress);
	}
	return error;
}
