/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of an experiment: counters, and those of imported files. */
#include "experiment_support.h"
#include "same_experiment.h"
#include "model/merge.h"
#include "store/store.h"

static const struct prof_event faults = {
	.unit = PROF_COUNTER_EVENTS, .interval = 1, .overflows = 3, .lost = 1};
static const struct prof_event cycles = {
	.unit = PROF_COUNTER_CYCLES, .clock = INT64_C(2000000000), .interval = 1000};

static struct prof_experiment *create(void)
{
	struct prof_experiment *experiment;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "", &thread));
	return experiment;
}

/* Adds the counter NAME, and a sample of VALUE of it; its number must be NUMBER. */
static void add(struct prof_experiment *experiment, const char *name,
	const struct prof_event *event, int64_t value, uint32_t number)
{
	const struct prof_sample sample = {0};
	prof_value values[PROF_QUANTITIES] = {0};
	uint32_t found;

	ck_assert_ok(prof_experiment_counter(experiment, name, event, &found));
	ck_assert_uint_eq(found, number);
	values[PROF_QUANTITY_EVENT + found] = prof_value_of(value);
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	prof_experiment_check(experiment);
}

static const char *name_of(const struct prof_experiment *experiment, uint32_t number)
{
	return prof_strings_get(&experiment->strings, experiment->events.items[number].name);
}

static int64_t total(const struct prof_experiment *experiment, uint32_t number)
{
	prof_value sum = 0;

	for (size_t i = 0; i < experiment->samples.count; i++)
		sum += value_at(experiment, (enum prof_quantity)(PROF_QUANTITY_EVENT + number), i);
	return (int64_t)(sum / PROF_VALUE_ONE);
}

START_TEST(counters_of_one_name_and_unit_are_one)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	struct prof_event other = cycles;

	add(experiment, "page-faults", &faults, 1, 0);
	add(experiment, "cycles", &cycles, 1000, 1);
	add(experiment, "page-faults", &faults, 1, 0);
	ck_assert_int_eq(experiment->events.items[0].overflows, 6);
	ck_assert_int_eq(experiment->events.items[0].lost, 2);
	ck_assert_int_eq(experiment->events.items[0].interval, 1);
	other.interval = 2000;
	add(experiment, "cycles", &other, 2000, 1);
	ck_assert_int_eq(experiment->events.items[1].interval, 0);
	/* Cycles of another CPU cannot be added to those of this one. */
	other.clock *= 2;
	add(experiment, "cycles", &other, 2000, 2);
	add(experiment, "cycles", &other, 2000, 2);
	ck_assert_str_eq(name_of(experiment, 2), "cycles-2");
	other.clock = 0;
	add(experiment, "cycles", &other, 2000, 3);
	ck_assert_str_eq(name_of(experiment, 3), "cycles-3");
}
END_TEST

START_TEST(there_is_room_for_eight)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	char name[] = "a";
	uint32_t number;

	for (; experiment->events.count < PROF_EVENTS; name[0]++)
		add(experiment, name, &faults, 1, (uint32_t)experiment->events.count);
	assert_error(prof_experiment_counter(experiment, name, &faults, &number),
		PROF_ERROR_TOO_LARGE, "no room for the counter \"i\"");
	add(experiment, "a", &faults, 1, 0);
	assert_error(prof_experiment_event(experiment, "a", &number), PROF_ERROR_TOO_LARGE,
		"an experiment has 8 counters at most");
}
END_TEST

START_TEST(counts_of_overflows_end_at_the_largest)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();

	add(experiment, "page-faults", &faults, 1, 0);
	uint64_t changes = experiment->changes;
	prof_experiment_overflow(experiment, 0, UINT64_MAX, UINT64_MAX);
	prof_experiment_overflow(experiment, 0, UINT64_MAX, 1);
	ck_assert_int_eq(experiment->events.items[0].overflows, INT64_MAX);
	ck_assert_int_eq(experiment->events.items[0].lost, INT64_MAX);
	ck_assert_uint_gt(experiment->changes, changes);
	ck_assert_uint_eq(experiment->events.items[0].changed, experiment->changes);
}
END_TEST

START_TEST(merged_counters_find_each_other)
{
	struct prof_experiment *sum = create(), *more = create();
	struct prof_event fast = cycles;
	uint32_t number;

	fast.clock++;
	add(sum, "page-faults", &faults, 5, 0);
	add(sum, "cycles", &cycles, 1000, 1);
	add(more, "cycles", &cycles, 3000, 0);
	add(more, "page-faults", &faults, 7, 1);
	add(more, "cycles", &fast, 9, 2);
	ck_assert_ok(prof_experiment_event(more, "page-faults", &number));
	ck_assert_ok(prof_experiment_merge(sum, more, NULL));
	prof_experiment_check(sum);
	ck_assert_uint_eq(sum->events.count, 4);
	ck_assert_int_eq(total(sum, 0), 12);
	ck_assert_int_eq(total(sum, 1), 4000);
	ck_assert_int_eq(total(sum, 2), 9);
	ck_assert_str_eq(name_of(sum, 2), "cycles-2");
	ck_assert_str_eq(name_of(sum, 3), "page-faults-2");
	ck_assert_int_eq(sum->events.items[0].overflows, 6);
	ck_assert_int_eq(sum->events.items[0].lost, 2);
	ck_assert_int_eq(sum->events.items[0].interval, 1);
	/* Each finds its own again, under the name that it has now. */
	ck_assert_ok(prof_experiment_merge(sum, more, NULL));
	ck_assert_uint_eq(sum->events.count, 4);
	ck_assert_int_eq(total(sum, 2), 18);
	prof_experiment_destroy(more);
	prof_experiment_destroy(sum);
}
END_TEST

/* Rows of the table end at the last counter, which may come later. */
START_TEST(imported_events_stand_beside_counters_in_a_file)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	struct prof_store *store;
	uint32_t number;

	enter_scratch();
	ck_assert_ok(prof_experiment_event(experiment, "imported", &number));
	ck_assert_ok(prof_store_create("x", &store));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	add(experiment, "cycles", &cycles, 5, 1);
	ck_assert_ok(prof_experiment_event(experiment, "more", &number));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	prof_experiment_overflow(experiment, 1, 7, 2);
	ck_assert(prof_store_pending(store, experiment));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert(!prof_store_pending(store, experiment));
	add(experiment, "page-faults", &faults, 5, 3);
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	prof_store_close(store);
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	prof_experiment_check(loaded);
	assert_same(experiment, loaded);
	ck_assert_uint_eq(loaded->events.items[0].unit, PROF_EVENT_SAMPLES);
	ck_assert_int_eq(loaded->events.items[1].overflows, 7);
}
END_TEST

RUN_TESTS("counters", counters_of_one_name_and_unit_are_one, there_is_room_for_eight,
	counts_of_overflows_end_at_the_largest, merged_counters_find_each_other,
	imported_events_stand_beside_counters_in_a_file)
