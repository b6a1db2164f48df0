/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single samples of an experiment, for tests: each is looked for anew. */
#ifndef SAMPLE_AT_H
#define SAMPLE_AT_H

#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <assert.h>

/* The row NUMBER. */
static inline struct prof_sample_row row_at(const struct prof_experiment *experiment, size_t number)
{
	struct prof_cursor cursor = {.experiment = experiment};
	const struct prof_sample_row *found = prof_cursor_at(&cursor, number);

	assert(found);
	struct prof_sample_row row = *found;
	prof_cursor_deinit(&cursor);
	return row;
}

static inline struct prof_sample sample_at(const struct prof_experiment *experiment, size_t number)
{
	return row_at(experiment, number).sample;
}

static inline prof_value value_at(
	const struct prof_experiment *experiment, int quantity, size_t number)
{
	return row_at(experiment, number).values[quantity];
}

/* What a sample is changed to. */
struct sample_change {
	size_t before; /* so many come before it */
	struct prof_sample_row row;
};

static inline void change_one(struct prof_sample_row *row, void *context)
{
	struct sample_change *change = context;

	if (!change->before--)
		*row = change->row;
}

/* The sample NUMBER is ROW from now on. */
static inline void set_row(
	struct prof_experiment *experiment, size_t number, const struct prof_sample_row *row)
{
	struct sample_change change = {number, *row};
	bool changed = prof_samples_alter(&experiment->samples, change_one, &change);

	assert(changed);
	(void)changed;
}

static inline void set_time(struct prof_experiment *experiment, size_t number, int64_t time)
{
	struct prof_sample_row row = row_at(experiment, number);

	row.sample.time = time;
	set_row(experiment, number, &row);
}

static inline void set_value(
	struct prof_experiment *experiment, size_t number, int quantity, prof_value value)
{
	struct prof_sample_row row = row_at(experiment, number);

	prof_sample_row_set(&row, quantity, value);
	set_row(experiment, number, &row);
}

#endif
