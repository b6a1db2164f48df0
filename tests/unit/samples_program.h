/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples made up by number, for the tests of what keeps them. */
#ifndef SAMPLES_PROGRAM_H
#define SAMPLES_PROGRAM_H

#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "suite.h"

/* More than two blocks. */
enum { MANY = 2 * PROF_SAMPLES_BLOCK + 100 };

/* The sample NUMBER. */
static inline struct prof_sample_row made(size_t number)
{
	struct prof_sample_row row = {.sample = {.time = (int64_t)(number * 7 % 1000),
					      .thread = number % 3,
					      .state = PROF_STATE_SYSTEM,
					      .cpu = number % 2}};

	prof_sample_row_set(&row, PROF_QUANTITY_SAMPLES, prof_value_of((int64_t)number % 5));
	prof_sample_row_set(&row, PROF_QUANTITY_SPENT + PROF_STATE_SYSTEM, (prof_value)number);
	return row;
}

static inline bool is_made(const struct prof_sample_row *row, size_t number)
{
	const struct prof_sample_row expected = made(number);

	return row->number == number && row->has == expected.has &&
		row->sample.time == expected.sample.time &&
		row->sample.thread == expected.sample.thread &&
		row->sample.state == expected.sample.state &&
		row->sample.cpu == expected.sample.cpu &&
		!memcmp(row->values, expected.values, sizeof row->values);
}

/* An experiment of COUNT of them. */
static inline struct prof_experiment *make_samples(size_t count)
{
	struct prof_experiment *experiment;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int i = 0; i < 3; i++)
		ck_assert_ok(prof_experiment_thread(experiment, i, "", &thread));
	for (size_t i = 0; i < count; i++) {
		const struct prof_sample_row row = made(i);
		ck_assert_ok(prof_experiment_sample(experiment, &row.sample, row.values));
	}
	return experiment;
}

/* Adds samples of thread 0 to EXPERIMENT, as large as they can be, until it holds more than BYTES.
 */
static inline void add_large_samples(struct prof_experiment *experiment, size_t bytes)
{
	struct prof_sample sample = {.state = PROF_STATE_USER};
	prof_value values[PROF_QUANTITIES] = {0};

	for (int i = 0; i < PROF_QUANTITIES_SAMPLED; i++)
		values[i] = PROF_VALUE_MOST;
	while (experiment->samples.held <= bytes) {
		sample.time = sample.time ? 0 : PROF_TIME_MOST / 2;
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
}

#endif
