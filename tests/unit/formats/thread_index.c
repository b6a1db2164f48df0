/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/thread_index.h"

#include "model/experiment.h"
#include "suite.h"

static struct prof_experiment *experiment;
static struct prof_thread_index threads;

static uint32_t get(int64_t id, const char *name)
{
	uint32_t thread;

	ck_assert_ok(prof_thread_index_get(&threads, experiment, id, name, &thread));
	ck_assert_int_eq(prof_experiment_thread_row(experiment, thread).id, id);
	ck_assert_str_eq(prof_experiment_text(
				 experiment, prof_experiment_thread_row(experiment, thread).name),
		name);
	return thread;
}

START_TEST(threads_differ_by_id_and_name)
{
	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t first = get(7, "main");
	uint32_t renamed = get(7, "worker");
	uint32_t nameless = get(7, "");
	/* Ids may have 64 bits. */
	uint32_t large = get((INT64_C(1) << 32) + 7, "main");

	ck_assert_uint_eq(experiment->threads.count, 4);
	ck_assert_uint_eq(get(7, "main"), first);
	ck_assert_uint_eq(get(7, "worker"), renamed);
	ck_assert_uint_eq(get(7, ""), nameless);
	ck_assert_uint_eq(get((INT64_C(1) << 32) + 7, "main"), large);
	ck_assert_uint_eq(experiment->threads.count, 4);
	prof_thread_index_deinit(&threads);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(name_of_the_experiment_itself_can_be_given)
{
	uint32_t string;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_string(experiment, "main", &string));
	uint32_t thread = get(1, prof_experiment_text(experiment, string));
	ck_assert_uint_eq(prof_experiment_thread_row(experiment, thread).name, string);
	prof_thread_index_deinit(&threads);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("thread_index", threads_differ_by_id_and_name, name_of_the_experiment_itself_can_be_given)
