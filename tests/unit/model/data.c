/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of accesses to memory. */
#include "model/data.h"

#include "experiment_support.h"
#include "model/merge.h"

static void add_samples(struct prof_experiment *experiment, size_t count)
{
	const prof_value values[PROF_QUANTITIES] = {0};
	const struct prof_sample sample = {0};
	uint32_t thread;

	if (!experiment->threads.count)
		ck_assert_ok(prof_experiment_thread(experiment, 1, "", &thread));
	for (size_t i = 0; i < count; i++)
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
}

static void add_data(struct prof_experiment *experiment, uint32_t sample, uint64_t address)
{
	const struct prof_data data = {.sample = sample,
		.trigger = PROF_TRIGGER_EXACT,
		.access = PROF_ACCESS_STORE,
		.addressed = true,
		.address = address};

	ck_assert_ok(prof_experiment_data(experiment, &data));
}

START_TEST(the_row_of_a_sample_is_found)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ptr_null(prof_experiment_data_of(experiment, 0));
	add_samples(experiment, 10);
	for (uint32_t i = 1; i < 10; i += 2)
		add_data(experiment, i, i);
	prof_experiment_check(experiment);
	for (uint32_t i = 0; i < 10; i++) {
		const struct prof_data *data = prof_experiment_data_of(experiment, i);
		ck_assert_int_eq(data != NULL, i % 2);
		ck_assert(!data || data->address == i);
	}
}
END_TEST

START_TEST(merged_rows_stay_with_their_samples)
{
	AUTO_EXPERIMENT struct prof_experiment *into, *from;

	ck_assert_ok(prof_experiment_create(&into));
	ck_assert_ok(prof_experiment_create(&from));
	add_samples(into, 3);
	add_data(into, 2, 20);
	add_samples(from, 4);
	add_data(from, 0, 100);
	add_data(from, 3, 103);
	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	prof_experiment_check(into);
	ck_assert_uint_eq(into->data.count, 3);
	ck_assert_uint_eq(prof_experiment_data_of(into, 2)->address, 20);
	ck_assert_uint_eq(prof_experiment_data_of(into, 3)->address, 100);
	ck_assert_uint_eq(prof_experiment_data_of(into, 6)->address, 103);
}
END_TEST

START_TEST(what_contradicts_itself_is_not_valid)
{
	const struct prof_data good = {
		.trigger = PROF_TRIGGER_FOUND, .access = PROF_ACCESS_LOAD, .skid = 1};
	struct prof_data data[6] = {good, good, good, good, good, good};

	ck_assert(prof_data_is_valid(&good));
	data[0].trigger = PROF_TRIGGER_NONE;
	data[1].trigger = PROF_TRIGGERS;
	data[2].access = PROF_ACCESSES;
	data[3].skid = 0;
	data[4].trigger = PROF_TRIGGER_EXACT;
	data[5].address = 1;
	for (size_t i = 0; i < PROF_COUNT(data); i++)
		ck_assert(!prof_data_is_valid(&data[i]));
}
END_TEST

RUN_TESTS("data", the_row_of_a_sample_is_found, merged_rows_stay_with_their_samples,
	what_contradicts_itself_is_not_valid)
