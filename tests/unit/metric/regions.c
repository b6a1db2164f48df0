/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/regions.h"

#include "metric/filter.h"
#include "metric/selection.h"
#include "parallel/user_stacks.h"
#include "parallel_stacks.h"

#define REGION "main@5;GOMP_parallel;main._omp_fn.0;"
#define WORKER "clone3;gomp_thread_start;"

/* Two threads in a region, with 30 ns and 10 ns of work, and one alone in another. */
static struct prof_experiment *make(void)
{
	AUTO_EXPERIMENT struct prof_experiment *met;
	struct prof_experiment *made;

	ck_assert_ok(prof_experiment_create(&met));
	add_timed(met, 0, 30, 30, PROF_STATE_USER, REGION "burn");
	add_timed(met, 0, 40, 10, PROF_STATE_USER, "main@7;burn");
	add_timed(met, 0, 45, 5, PROF_STATE_USER, "work@9;GOMP_parallel;work._omp_fn.0");
	add_timed(met, 1, 10, 10, PROF_STATE_USER, WORKER "main._omp_fn.0;burn");
	add_timed(met, 1, 34, 24, PROF_STATE_LOCK, WORKER "gomp_wait");
	struct prof_arc arc = {
		.callee = met->paths.items[path_of_names(met, "GOMP_parallel")].frame,
		.caller = met->paths.items[path_of_names(met, "main@5")].frame,
		.calls = 3,
		.kind = PROF_ARC_CALLS};
	ck_assert_ok(prof_experiment_arc(met, &arc));
	ck_assert_ok(prof_user_stacks_create(met, PROF_STACKS_USER, NULL, &made));
	return made;
}

START_TEST(adds_up_work_and_wait_of_threads)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	AUTO_REGION_SUMS struct prof_region_sums sums = {0};

	ck_assert_ok(prof_region_sums_init(&sums, experiment, NULL, NULL));
	ck_assert_uint_eq(sums.items.count, 2);
	const struct prof_region_sum *sum = &sums.items.items[0];
	ck_assert_str_eq(prof_experiment_function_name(
				 experiment, experiment->region_rows.items[sum->region].function),
		"main (parallel at main.c:5)");
	ck_assert(sum->work == prof_value_of(40) && sum->wait == prof_value_of(20));
	ck_assert(sum->most == prof_value_of(30));
	ck_assert_uint_eq(sum->threads, 2);
	ck_assert_uint_eq(sum->instances, 3);
	ck_assert_double_eq_tol(prof_region_imbalance(sum->most, sum->all, sum->threads), 50, 1e-9);
	sum = &sums.items.items[1];
	ck_assert(sum->work == prof_value_of(5) && !sum->wait);
	ck_assert_uint_eq(sum->threads, 1);
	ck_assert_uint_eq(sum->instances, 0);
	ck_assert_double_eq_tol(prof_region_imbalance(sum->most, sum->all, sum->threads), 0, 1e-9);
}
END_TEST

START_TEST(only_what_is_selected_counts)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	AUTO_REGION_SUMS struct prof_region_sums sums = {0};
	struct prof_filter filter = {.values[PROF_CONDITION_THREAD] = "2"};
	struct prof_selection *selection;

	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	ck_assert_ok(prof_region_sums_init(&sums, experiment, selection, NULL));
	ck_assert_uint_eq(sums.items.count, 1);
	ck_assert(sums.items.items[0].work == prof_value_of(10));
	prof_selection_destroy(selection);
}
END_TEST

START_TEST(other_programs_have_none)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_REGION_SUMS struct prof_region_sums sums = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 10, 10, PROF_STATE_USER, "main;burn");
	ck_assert_ok(prof_region_sums_init(&sums, experiment, NULL, NULL));
	ck_assert_uint_eq(sums.items.count, 0);
}
END_TEST

RUN_TESTS("regions", adds_up_work_and_wait_of_threads, only_what_is_selected_counts,
	other_programs_have_none)
