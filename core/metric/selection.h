/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A selection: the samples of an experiment that a filter lets pass. */
#ifndef PROF_METRIC_SELECTION_H
#define PROF_METRIC_SELECTION_H

#include "base/value.h"
#include "model/sample_row.h"

#include <limits.h>
#include <stdbool.h>

struct prof_error;
struct prof_experiment;
struct prof_filter;

/*
 * A sample has the time since the one before, in each state.  A chosen sample counts with the time
 * that was spent in the chosen states; all its other values belong to the state in which the thread
 * was met.
 */
struct prof_selection {
	unsigned char *chosen;    /* a bit for each sample, the lowest first */
	unsigned char *blocks;    /* the same for each block of samples that may have any */
	bool states[PROF_STATES]; /* that are chosen */
	size_t samples;           /* how many there were; later ones are not chosen */
	size_t count;             /* of those that are chosen */
};

/*
 * The samples of EXPERIMENT that FILTER lets pass; *RET is NULL, which stands for all, where it has
 * no condition.  Unknown names, and conditions that cannot be read, are errors.
 */
struct prof_error *prof_selection_create(const struct prof_experiment *experiment,
	const struct prof_filter *filter, struct prof_selection **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_selection_destroy(struct prof_selection *selection);

/* Is SAMPLE in SELECTION, or is this NULL? */
static inline bool prof_selection_has(const struct prof_selection *selection, size_t sample)
{
	return !selection ||
		(sample < selection->samples &&
			selection->chosen[sample / CHAR_BIT] & 1U << sample % CHAR_BIT);
}

/* The blocks in which samples of SELECTION are, for a cursor; all, if it is NULL. */
static inline const unsigned char *prof_selection_blocks(const struct prof_selection *selection)
{
	return selection ? selection->blocks : NULL;
}

/* Does what ROW, one that is chosen, has of QUANTITY count? */
static inline bool prof_selection_counts(const struct prof_selection *selection,
	const struct prof_sample_row *row, enum prof_quantity quantity)
{
	bool time = quantity >= PROF_QUANTITY_SPENT && quantity < PROF_QUANTITIES_SAMPLED;

	return !selection ||
		selection->states[time ? quantity - PROF_QUANTITY_SPENT : row->sample.state];
}

/* The value of QUANTITY that ROW has as far as it is chosen. */
static inline prof_value prof_selection_value(const struct prof_selection *selection,
	const struct prof_sample_row *row, enum prof_quantity quantity)
{
	return prof_selection_has(selection, row->number) &&
			prof_selection_counts(selection, row, quantity)
		? row->values[quantity]
		: 0;
}

#endif
