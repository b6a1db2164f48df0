/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_times.h"

#include "model/rank.h"
#include "parallel/openmp_stacks.h"
#include "parallel_stacks.h"

#define REGION "main;GOMP_parallel;main._omp_fn.0;"

static struct prof_experiment *experiment;
static struct prof_openmp_stacks stacks;
static struct prof_openmp_times times;

static void find_times(void)
{
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_times_init(&times, experiment, &stacks, NULL));
}

static void end(void)
{
	prof_openmp_times_deinit(&times);
	prof_openmp_stacks_deinit(&stacks);
	prof_experiment_destroy(experiment);
}

static void expect_time(size_t number, int64_t begin, int64_t finish, bool outer)
{
	ck_assert_uint_lt(number, times.items.count);
	ck_assert_int_eq(times.items.items[number].begin, begin);
	ck_assert_int_eq(times.items.items[number].end, finish);
	ck_assert(times.items.items[number].outer == outer);
}

START_TEST(samples_in_a_row_are_one_stretch)
{
	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 10, 10, PROF_STATE_USER, "main");
	add_timed(experiment, 0, 20, 10, PROF_STATE_USER, REGION "burn");
	add_timed(experiment, 0, 30, 10, PROF_STATE_LOCK, REGION "GOMP_taskwait");
	add_timed(experiment, 0, 40, 10, PROF_STATE_USER, "main");
	add_timed(experiment, 0, 45, 5, PROF_STATE_USER, REGION "burn");
	find_times();
	ck_assert_uint_eq(times.items.count, 2);
	expect_time(0, 10, 30, true);
	expect_time(1, 40, 45, true);
	ck_assert_int_eq(times.longest[true], 20);
	ck_assert_uint_eq(times.items.items[0].opener, path_of_names(experiment, "main"));
	end();
}
END_TEST

START_TEST(workers_open_nothing_by_themselves)
{
	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 10, 10, PROF_STATE_USER, "clone3;gomp_thread_start;f._omp_fn.0");
	add_timed(experiment, 0, 20, 10, PROF_STATE_USER, "clone3;gomp_thread_start;gomp_wait");
	find_times();
	ck_assert_uint_eq(times.items.count, 0);
	end();
}
END_TEST

START_TEST(nested_regions_have_times_of_their_own)
{
	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 10, 10, PROF_STATE_USER, REGION "burn");
	add_timed(experiment, 0, 20, 10, PROF_STATE_USER, REGION "GOMP_parallel;g._omp_fn.0");
	add_timed(experiment, 0, 30, 10, PROF_STATE_USER, REGION "burn");
	find_times();
	ck_assert_uint_eq(times.items.count, 2);
	expect_time(0, 10, 20, false);
	expect_time(1, 0, 30, true);
	ck_assert_int_eq(times.longest[false], 10);
	ck_assert_uint_eq(prof_openmp_times_first(&times, 0, true, 5), 1);
	end();
}
END_TEST

START_TEST(finds_where_to_begin)
{
	ck_assert_ok(prof_experiment_create(&experiment));
	for (int i = 1; i <= 10; i++) {
		add_timed(experiment, 0, 20 * i, 10, PROF_STATE_USER, REGION "burn");
		add_timed(experiment, 0, 20 * i + 10, 10, PROF_STATE_USER, "main");
	}
	find_times();
	ck_assert_uint_eq(times.items.count, 10);
	size_t first = prof_openmp_times_first(&times, 0, true, 105);
	ck_assert_int_eq(times.items.items[first].begin, 110);
	first = prof_openmp_times_first(&times, 0, true, 99);
	ck_assert_int_eq(times.items.items[first].begin, 90);
	ck_assert_uint_eq(prof_openmp_times_first(&times, 1, true, 0), 10);
	ck_assert_uint_eq(prof_openmp_times_first(&times, 0, true, 1000), 10);
	end();
}
END_TEST

START_TEST(ranks_are_processes_of_their_own)
{
	ck_assert_ok(prof_experiment_create(&experiment));
	for (uint32_t i = 0; i < 2; i++) {
		const struct prof_rank_request request = {
			.rank = i, .size = 2, .launcher = "", .job = "", .host = "", .kernel = ""};
		ck_assert_ok(prof_rank_add(experiment, &request));
		add_timed(experiment, i, 10, 10, PROF_STATE_USER, REGION "burn");
	}
	ck_assert_int_ne(prof_openmp_process(experiment, 0), prof_openmp_process(experiment, 1));
	find_times();
	ck_assert_uint_eq(times.items.count, 2);
	ck_assert_uint_eq(
		prof_openmp_times_first(&times, prof_openmp_process(experiment, 1), true, 0), 1);
	end();
}
END_TEST

RUN_TESTS("openmp_times", ranks_are_processes_of_their_own, samples_in_a_row_are_one_stretch,
	workers_open_nothing_by_themselves, nested_regions_have_times_of_their_own,
	finds_where_to_begin)
