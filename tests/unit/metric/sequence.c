/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of samples. */
#include "metric/sequence.h"

#include "metric/metric.h"
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
	size_t count;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 10, "", &thread));
	ck_assert_ok(prof_experiment_thread(experiment, 5, "", &thread));
	for (size_t i = 0; i < PROF_COUNT(given); i++) {
		struct prof_sample sample = {.thread = given[i].thread, .time = given[i].time};
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
	ck_assert_ok(prof_sequence_create(experiment, &prof_metrics[0], &order, &count));
	ck_assert_uint_eq(count, PROF_COUNT(expected));
	for (size_t i = 0; i < PROF_COUNT(expected); i++) {
		ck_assert_uint_eq(order[i].number, expected[i]);
		ck_assert_int_eq(order[i].sample.time, given[expected[i]].time);
	}
	free(order);
	prof_experiment_destroy(experiment);
}
END_TEST

/* The time of calls is beside samples, and neither has to do with the other. */
START_TEST(samples_of_other_metrics_are_left_out)
{
	static const struct prof_event event = {.unit = PROF_COUNTER_NS};
	static const char *const names[] = {"samples", PROF_CALL_TIME};
	struct prof_sequence_sample *order;
	struct prof_experiment *experiment;
	struct prof_metric metric;
	uint32_t number;
	size_t count;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 10, "", &number));
	ck_assert_ok(prof_experiment_counter(experiment, PROF_CALL_TIME, &event, &number));
	for (int64_t i = 0; i < 5; i++) {
		const struct prof_sample sample = {.time = i};
		prof_value values[PROF_QUANTITIES] = {0};
		values[i % 2 ? PROF_QUANTITY_EVENT + number : PROF_QUANTITY_SAMPLES] =
			PROF_VALUE_ONE;
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		ck_assert_ok(prof_metric_find(experiment, names[i], &metric));
		ck_assert_ok(prof_sequence_create(experiment, &metric, &order, &count));
		ck_assert_uint_eq(count, 3 - i);
		for (size_t j = 0; j < count; j++)
			ck_assert_uint_eq(order[j].number, 2 * j + i);
		free(order);
	}
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(nothing_has_an_order_too)
{
	struct prof_experiment *experiment;
	struct prof_sequence_sample *order;
	size_t count;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_sequence_create(experiment, &prof_metrics[0], &order, &count));
	ck_assert_uint_eq(count, 0);
	free(order);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("sequence", orders_by_thread_and_time_and_keeps_what_is_equal,
	samples_of_other_metrics_are_left_out, nothing_has_an_order_too)
