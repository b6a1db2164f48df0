/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of samples. */
#include "metric/sequence.h"

#include "model/experiment.h"
#include "suite.h"

START_TEST(orders_by_thread_and_time_and_keeps_what_is_equal)
{
	static const struct {
		uint32_t thread;
		int64_t time;
	} given[] = {{1, 5}, {0, 7}, {1, 3}, {0, 7}, {0, -2}, {1, 5}, {0, 7}};
	static const uint32_t expected[] = {4, 1, 3, 6, 2, 0, 5};
	const prof_value values[PROF_QUANTITIES] = {0};
	struct prof_experiment *experiment;
	struct prof_sequence_sample *order;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 10, "", &thread));
	ck_assert_ok(prof_experiment_thread(experiment, 5, "", &thread));
	for (size_t i = 0; i < PROF_COUNT(given); i++) {
		struct prof_sample sample = {.thread = given[i].thread, .time = given[i].time};
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
	ck_assert_ok(prof_sequence_create(experiment, &order));
	for (size_t i = 0; i < PROF_COUNT(expected); i++) {
		ck_assert_uint_eq(order[i].number, expected[i]);
		ck_assert_int_eq(order[i].sample.time, given[expected[i]].time);
	}
	free(order);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(nothing_has_an_order_too)
{
	struct prof_experiment *experiment;
	struct prof_sequence_sample *order;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_sequence_create(experiment, &order));
	free(order);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("sequence", orders_by_thread_and_time_and_keeps_what_is_equal, nothing_has_an_order_too)
