/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/call_target.h"

#include "experiment_hostile.h"
#include "model/merge.h"
#include "parallel_stacks.h"
#include "store/store.h"

/* An experiment in which `main` has called GOMP_barrier. */
static struct prof_experiment *make(void)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	path_of_names(experiment, "main;burn");
	ck_assert_ok(prof_call_target_add(experiment, 0, "GOMP_barrier"));
	return experiment;
}

START_TEST(tells_what_a_frame_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();

	ck_assert_str_eq(prof_call_target_of(experiment, 0), "GOMP_barrier");
	ck_assert_ptr_null(prof_call_target_of(experiment, 1));
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(merging_keeps_the_first)
{
	AUTO_EXPERIMENT struct prof_experiment *one = make(), *other = make();

	ck_assert_ok(prof_call_target_add(other, 1, "omp_set_lock"));
	ck_assert_ok(prof_experiment_merge(one, other, NULL));
	prof_experiment_check(one);
	ck_assert_uint_eq(one->call_targets.count, 2);
	ck_assert_str_eq(prof_call_target_of(one, 1), "omp_set_lock");
}
END_TEST

START_TEST(files_have_each_frame_once)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make(), *loaded = NULL;

	enter_scratch();
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	ck_assert_str_eq(prof_call_target_of(loaded, 0), "GOMP_barrier");
	tamper("x", "INSERT INTO call_target SELECT 1, frame, name FROM call_target");
	prof_experiment_destroy(steal(&loaded));
	ck_assert_error(prof_store_load("x", NULL, &loaded), "call_target");
}
END_TEST

RUN_TESTS("call_target", tells_what_a_frame_calls, merging_keeps_the_first,
	files_have_each_frame_once)
