/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_support.h"

static struct prof_experiment *experiment;

/* A sample that stands for traced events; its number among them is returned. */
static uint32_t add_traced(uint32_t object)
{
	static const prof_value none[PROF_QUANTITIES];
	const struct prof_sample sample = {.thread = 0};
	const struct prof_traced_row traced = {.sample = (uint32_t)experiment->samples.count,
		.object = object,
		.holder = PROF_NONE};

	expect_ok(prof_experiment_sample(experiment, &sample, none));
	expect_ok(prof_experiment_traced(experiment, &traced));
	return (uint32_t)experiment->traced.count - 1;
}

static void open_experiment(void)
{
	uint32_t thread;

	expect_ok(prof_experiment_create(&experiment));
	expect_ok(prof_experiment_thread(experiment, 7, "main", &thread));
}

static int64_t value_of(uint32_t sample, enum prof_traced_value value)
{
	return (int64_t)(value_at(experiment, (enum prof_quantity)(PROF_QUANTITY_TRACED + value),
				 sample) /
		PROF_VALUE_ONE);
}

START_TEST(values_change_in_place)
{
	const int64_t first[PROF_TRACED_VALUES] = {[PROF_TRACED_LEAKS] = 3};
	const int64_t second[PROF_TRACED_VALUES] = {
		[PROF_TRACED_LEAKS] = 1, [PROF_TRACED_PEAK] = 9};

	struct prof_traced_rows_place place = {0};

	open_experiment();
	uint32_t one = add_traced(PROF_NONE);
	uint32_t two = add_traced(PROF_NONE);
	prof_experiment_traced_values(experiment, two, first, 5);
	uint64_t changes = experiment->changes;
	prof_experiment_traced_values(experiment, one, first, 0);
	prof_experiment_traced_values(experiment, two, second, 6);
	ck_assert_int_eq(value_of(0, PROF_TRACED_LEAKS), 3);
	ck_assert_int_eq(value_of(1, PROF_TRACED_LEAKS), 1);
	ck_assert_int_eq(value_of(1, PROF_TRACED_PEAK), 9);
	ck_assert_int_eq(value_of(0, PROF_TRACED_PEAK), 0);
	ck_assert_int_eq(prof_traced_rows_get(&experiment->traced, &place, two)->longest, 6);
	ck_assert_uint_gt(prof_traced_rows_changed(&experiment->traced, two), changes);
	/* It stands for no sample, and for no time. */
	ck_assert(!value_at(experiment, PROF_QUANTITY_SAMPLES, 1));
	prof_experiment_check(experiment);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(an_object_is_known_by_its_address)
{
	uint32_t one, two, again;

	open_experiment();
	expect_ok(prof_experiment_object(experiment, 64, &one));
	expect_ok(prof_experiment_object(experiment, 128, &two));
	expect_ok(prof_experiment_object(experiment, 64, &again));
	ck_assert_uint_eq(one, again);
	ck_assert_uint_ne(one, two);
	uint64_t changes = experiment->changes;
	expect_ok(prof_experiment_name_object(experiment, two, "lock"));
	ck_assert_str_eq(
		prof_strings_get(&experiment->strings, experiment->objects.items[two].name),
		"lock");
	ck_assert_uint_gt(experiment->objects.items[two].changed, changes);
	add_traced(two);
	prof_experiment_check(experiment);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(a_heap_is_replaced_by_what_is_known_later)
{
	struct prof_heap heap = {.peak = 5};
	uint32_t number = PROF_NONE;

	open_experiment();
	expect_ok(prof_experiment_heap(experiment, 9, &heap, &number));
	heap.peak = 6;
	expect_ok(prof_experiment_heap(experiment, 9, &heap, &number));
	ck_assert_uint_eq(experiment->heaps.count, 1);
	ck_assert_int_eq(experiment->heaps.items[0].heap.peak, 6);
	prof_experiment_check(experiment);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(rows_of_mpi_are_counted_as_far_as_the_last)
{
	const int64_t values[PROF_TRACED_VALUES] = {[PROF_TRACED_MPI_OTHER] = 3};
	struct prof_traced_rows_place place = {0};

	open_experiment();
	add_traced(PROF_NONE);
	uint32_t second = add_traced(PROF_NONE);
	uint32_t third = add_traced(PROF_NONE);
	add_traced(PROF_NONE);
	ck_assert_uint_eq(experiment->traced.mpi, 0);
	prof_experiment_traced_values(experiment, second, values, 0);
	ck_assert_uint_eq(experiment->traced.mpi, second + 1);
	prof_experiment_ranks(experiment, third, 0, -1);
	ck_assert_uint_eq(experiment->traced.mpi, third + 1);
	ck_assert_uint_eq(prof_traced_rows_get(&experiment->traced, &place, third)->rank, 1);
	ck_assert_uint_eq(prof_traced_rows_get(&experiment->traced, &place, third)->peer, 0);
	prof_experiment_check(experiment);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(rows_of_openmp_are_counted_likewise)
{
	const int64_t values[PROF_TRACED_VALUES] = {[PROF_TRACED_OMP_TASKS] = 1};

	open_experiment();
	add_traced(PROF_NONE);
	uint32_t second = add_traced(PROF_NONE);
	add_traced(PROF_NONE);
	prof_experiment_traced_values(experiment, second, values, 0);
	ck_assert_uint_eq(experiment->traced.omp, second + 1);
	ck_assert_uint_eq(experiment->traced.loops, 0);
	ck_assert_uint_eq(experiment->traced.mpi, 0);
	prof_experiment_check(experiment);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(rows_of_loops_are_of_openmp)
{
	const int64_t values[PROF_TRACED_VALUES] = {[PROF_TRACED_OMP_LOOP] = 1};

	open_experiment();
	uint32_t first = add_traced(PROF_NONE);
	add_traced(PROF_NONE);
	prof_experiment_traced_values(experiment, first, values, 0);
	ck_assert_uint_eq(experiment->traced.omp, first + 1);
	ck_assert_uint_eq(experiment->traced.loops, first + 1);
	prof_experiment_check(experiment);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("traced", values_change_in_place, an_object_is_known_by_its_address,
	a_heap_is_replaced_by_what_is_known_later, rows_of_mpi_are_counted_as_far_as_the_last,
	rows_of_openmp_are_counted_likewise, rows_of_loops_are_of_openmp)
