/* A selection: the samples of an experiment that a filter lets pass. */
#ifndef PROF_METRIC_SELECTION_H
#define PROF_METRIC_SELECTION_H

#include "experiment/experiment.h"
#include "metric/filter.h"

/*
 * A sample tells of the time since the one before, in each state.  Of one that is chosen those
 * times count that were spent in the chosen states; whatever else it carries belongs to the state
 * in which the thread was met.
 */
struct prof_selection {
	bool *chosen;             /* by sample */
	bool states[PROF_STATES]; /* that are chosen */
	size_t samples;           /* how many there were; later ones are not chosen */
	size_t count;             /* of those that are chosen */
};

/*
 * The samples of EXPERIMENT that FILTER lets pass; *RET is NULL, which stands for all, where it has
 * no condition.  What names nothing in the experiment, or can't be read, is an error.
 */
struct prof_error *prof_selection_create(const struct prof_experiment *experiment,
	const struct prof_filter *filter, struct prof_selection **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_selection_destroy(struct prof_selection *selection);

/* Is SAMPLE in SELECTION, or is this NULL? */
static inline bool prof_selection_has(const struct prof_selection *selection, size_t sample)
{
	return !selection || (sample < selection->samples && selection->chosen[sample]);
}

/* Does what SAMPLE of EXPERIMENT, one that is chosen, has of QUANTITY count? */
static inline bool prof_selection_counts(const struct prof_selection *selection,
	const struct prof_experiment *experiment, enum prof_quantity quantity, size_t sample)
{
	bool time = quantity >= PROF_QUANTITY_SPENT && quantity < PROF_QUANTITIES_SAMPLED;

	return !selection ||
		selection->states[time ? quantity - PROF_QUANTITY_SPENT
				       : experiment->samples.items[sample].state];
}

/* The value of QUANTITY that SAMPLE of EXPERIMENT has as far as it is chosen. */
static inline prof_value prof_selection_value(const struct prof_selection *selection,
	const struct prof_experiment *experiment, enum prof_quantity quantity, size_t sample)
{
	return prof_selection_has(selection, sample) &&
			prof_selection_counts(selection, experiment, quantity, sample)
		? prof_experiment_value(experiment, quantity, sample)
		: 0;
}

#endif
