/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What metrics an experiment has, and what they are called. */
#include "metric/metric.h"

#include "sample_at.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static void add_event(struct prof_experiment *experiment, const char *name, int unit, int64_t clock)
{
	const struct prof_event event = {.unit = (uint8_t)unit, .clock = clock};
	uint32_t number;

	ck_assert_ok(prof_experiment_counter(experiment, name, &event, &number));
}

/* The metric called NAME is TITLE in UNIT, and its own name is OWN. */
static void check(const struct prof_experiment *experiment, const char *name, const char *own,
	const char *title, const char *unit)
{
	struct prof_metric metric;

	ck_assert_ok(prof_metric_find(experiment, name, &metric));
	ck_assert_str_eq(metric.name, own);
	ck_assert_str_eq(metric.title, title);
	ck_assert_str_eq(metric.unit, unit);
	bool time = !strcmp(unit, "sec.");
	ck_assert_int_eq(metric.units, time ? 1000000000 : 1);
	ck_assert_int_eq(metric.places, time ? 3 : -1);
}

START_TEST(counters_are_metrics_by_their_names)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_event(experiment, "page-faults", PROF_COUNTER_EVENTS, 0);
	add_event(experiment, "cycles", PROF_COUNTER_CYCLES, INT64_C(2000000000));
	add_event(experiment, "ref-cycles", PROF_COUNTER_CYCLES, 0);
	add_event(experiment, "task-clock", PROF_COUNTER_NS, 0);
	add_event(experiment, "imported", PROF_EVENT_SAMPLES, 0);
	check(experiment, "page-faults", "page-faults", "page-faults", "events");
	check(experiment, "event-1", "page-faults", "page-faults", "events");
	check(experiment, "cycles", "cycles", "cycles", "sec.");
	check(experiment, "cycles/count", "cycles/count", "cycles", "cycles");
	check(experiment, "ref-cycles", "ref-cycles", "ref-cycles", "cycles");
	check(experiment, "task-clock", "task-clock", "task-clock", "sec.");
	check(experiment, "task-clock/count", "task-clock/count", "task-clock", "nanoseconds");
	check(experiment, "event-5", "event-5", "imported", "samples");
	check(experiment, "event-6", "event-6", "Event 6", "samples");
	check(experiment, "cpu", "cpu", "CPU time", "sec.");
}
END_TEST

START_TEST(unknown_name_is_told_those_of_counters)
{
	static const char *const names[] = {"page-faulty", "page-faults/count", "imported",
		"ref-cycles/count", "imported/count", "cpu/count"};
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_event(experiment, "page-faults", PROF_COUNTER_EVENTS, 0);
	add_event(experiment, "cycles", PROF_COUNTER_CYCLES, INT64_C(2000000000));
	add_event(experiment, "ref-cycles", PROF_COUNTER_CYCLES, 0);
	add_event(experiment, "imported", PROF_EVENT_SAMPLES, 0);
	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		struct prof_metric metric;
		ck_assert_error(prof_metric_find(experiment, names[i], &metric),
			"other, page-faults, cycles, cycles/count, ref-cycles, event-4, allocs, ");
	}
}
END_TEST

/* Files are not to be trusted, and users cannot type everything. */
START_TEST(names_that_cannot_be_given_are_numbers)
{
	static const char *const names[] = {
		"cpu", "a b", "a,b", "event-3", "", "\033[2J", "\xc3\xa9"};
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	char large[2 * PROF_METRIC_NAME], name[16];
	struct prof_metric metric;
	uint32_t number;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (size_t i = 0; i < PROF_COUNT(names); i++)
		add_event(experiment, names[i], PROF_COUNTER_NS, 0);
	memset(large, 'x', sizeof large - 1);
	large[sizeof large - 1] = '\0';
	add_event(experiment, large, PROF_COUNTER_NS, 0);
	for (uint32_t i = 0; i < PROF_EVENTS; i++) {
		snprintf(name, sizeof name, "event-%u", i + 1);
		ck_assert_ok(prof_metric_find(experiment, name, &metric));
		ck_assert_str_eq(metric.name, name);
		ck_assert(prof_metric_is_event(&metric, &number));
		ck_assert_uint_eq(number, i);
		for (const char *at = metric.title; *at; at++)
			ck_assert(*at >= ' ' && *at <= '~');
	}
	check(experiment, "event-2", "event-2", "a b", "sec.");
	check(experiment, "event-6", "event-6", "Event 6", "sec.");
	check(experiment, "event-8/count", "event-8/count", "Event 8", "nanoseconds");
	check(experiment, "cpu", "cpu", "CPU time", "sec.");
}
END_TEST

START_TEST(longest_name_has_room_for_what_follows)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	char name[PROF_METRIC_NAME];
	struct prof_metric metric;

	ck_assert_ok(prof_experiment_create(&experiment));
	memset(name, 'x', sizeof name);
	name[PROF_METRIC_NAME - sizeof "/count"] = '\0';
	add_event(experiment, name, PROF_COUNTER_NS, 0);
	strcat(name, "/count");
	ck_assert_ok(prof_metric_find(experiment, name, &metric));
	ck_assert_str_eq(metric.name, name);
}
END_TEST

START_TEST(default_is_the_first_counter_where_there_is_no_clock)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = 1};
	const struct prof_sample sample = {0};
	struct prof_metric metric;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "", &thread));
	prof_metric_default(experiment, &metric);
	ck_assert(prof_metric_is_samples(&metric));
	add_event(experiment, "page-faults", PROF_COUNTER_EVENTS, 0);
	prof_metric_default(experiment, &metric);
	ck_assert_str_eq(metric.name, "page-faults");
	ck_assert(!prof_metric_is_samples(&metric));
	experiment->recording.rate_asked = 1;
	prof_metric_default(experiment, &metric);
	ck_assert_str_eq(metric.name, "samples");
	experiment->recording.rate_asked = 0;
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	prof_metric_default(experiment, &metric);
	ck_assert_str_eq(metric.name, "samples");
}
END_TEST

/* Two cycles of 2 GHz are a ns; and the slowest clock makes the largest times. */
START_TEST(cycles_count_as_time_by_their_clock)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_EVENT] = prof_value_of(5),
		[PROF_QUANTITY_EVENT + 1] = PROF_VALUE_MOST};
	const struct prof_sample sample = {0};
	struct prof_metric metric;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "", &thread));
	add_event(experiment, "cycles", PROF_COUNTER_CYCLES, INT64_C(2000000000));
	add_event(experiment, "slow", PROF_COUNTER_CYCLES, PROF_CLOCK_LEAST);
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	const struct prof_sample_row row = row_at(experiment, 0);
	for (int i = 0; i < 2; i++) {
		AUTO_FREE prof_value *sums = NULL;
		prof_value expected = i ? PROF_VALUE_MOST * 1000 : 5 * PROF_VALUE_ONE / 2;
		ck_assert_ok(prof_metric_find(experiment, i ? "slow" : "cycles", &metric));
		ck_assert_ok(prof_metric_by_thread(experiment, &metric, NULL, NULL, &sums));
		ck_assert(sums[0] == expected);
		ck_assert(prof_metric_of(experiment, &metric, NULL, &row) == expected);
	}
	ck_assert_ok(prof_metric_find(experiment, "cycles/count", &metric));
	ck_assert(prof_metric_of(experiment, &metric, NULL, &row) == prof_value_of(5));
}
END_TEST

START_TEST(name_may_be_abbreviated)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_metric metric;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_event(experiment, "page-faults", PROF_COUNTER_EVENTS, 0);
	add_event(experiment, "page-faults-minor", PROF_COUNTER_EVENTS, 0);
	ck_assert_ok(prof_metric_find(experiment, "runq", &metric));
	ck_assert_str_eq(metric.name, "runqueue");
	ck_assert_ok(prof_metric_find(experiment, "page-faults-", &metric));
	ck_assert_str_eq(metric.name, "page-faults-minor");
	/* A whole name is no abbreviation of a longer one. */
	ck_assert_ok(prof_metric_find(experiment, "page-faults", &metric));
	ck_assert_str_eq(metric.name, "page-faults");
	struct prof_error *error = prof_metric_find(experiment, "page", &metric);
	ck_assert_ptr_nonnull(error);
	prof_error_destroy(error);
	error = prof_metric_find(experiment, "", &metric);
	ck_assert_ptr_nonnull(error);
	prof_error_destroy(error);
}
END_TEST

RUN_TESTS("metric names", counters_are_metrics_by_their_names,
	unknown_name_is_told_those_of_counters, names_that_cannot_be_given_are_numbers,
	longest_name_has_room_for_what_follows,
	default_is_the_first_counter_where_there_is_no_clock, cycles_count_as_time_by_their_clock,
	name_may_be_abbreviated)
