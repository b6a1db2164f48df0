/* A selection: the samples of an experiment that a filter lets pass. */
#ifndef PROF_METRIC_SELECTION_H
#define PROF_METRIC_SELECTION_H

#include "experiment/experiment.h"
#include "metric/filter.h"

struct prof_selection {
	bool *chosen;   /* by sample */
	size_t samples; /* how many there were; later ones are not chosen */
	size_t count;   /* of those that are chosen */
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

#endif
