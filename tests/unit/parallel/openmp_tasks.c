/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_tasks.h"

#include "parallel/openmp_regions.h"
#include "parallel/openmp_stacks.h"
#include "parallel_stacks.h"

#define REGION "main;GOMP_parallel;main._omp_fn.0;"
#define CLANG "main;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;.omp_outlined.;"
#define WORKER "clone3;start_thread;gomp_thread_start;"

/* Fails unless the user sees the task at the end of NAMES in the stack EXPECTED; NULL: no task. */
static void expect(const char *names, const char *expected)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	AUTO_OPENMP_REGIONS struct prof_openmp_regions regions = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t path = path_of_names(experiment, names);
	uint32_t wanted = expected ? path_of_names(experiment, expected) : 0;
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_regions_init(&regions, experiment, &stacks));
	bool is_task = prof_openmp_is_task(experiment, &stacks, &regions, path);
	ck_assert_msg(is_task == (expected != NULL), "%s", names);
	if (!is_task)
		return;
	uint32_t found = prof_openmp_creator(experiment, &stacks, &regions, path);
	ck_assert_msg(found == wanted, "%s: %u, not %u", names, found, wanted);
}

START_TEST(not_all_that_the_runtime_calls_is_a_task)
{
	expect(REGION "burn", NULL);
	expect("main;GOMP_parallel;main._omp_fn.0", NULL);
	expect(REGION "__kmpc_reduce;add_up", NULL);
	expect(REGION "GOMP_taskwait;f._omp_fn.0;burn", NULL);
}
END_TEST

START_TEST(what_is_executed_at_once_was_created_there)
{
	expect(REGION "f;g;GOMP_task;f._omp_fn.0", REGION "f;g");
	expect(REGION "f;GOMP_taskloop;f._omp_fn.0", REGION "f");
	expect(REGION "f;GOMP_taskloop;GOMP_taskgroup_end;f._omp_fn.0", REGION "f");
	expect(CLANG "f;__kmpc_omp_task;__kmp_invoke;.omp_task_entry.", CLANG "f");
}
END_TEST

START_TEST(waits_for_tasks_show_who_has_created_them)
{
	expect(REGION "f;GOMP_taskwait;f._omp_fn.0", REGION "f");
	expect(REGION "f;wait;GOMP_taskwait;f._omp_fn.0", REGION "f");
	expect(REGION "f;g;f.part;wait;GOMP_taskwait;f._omp_fn.0", REGION "f;g;f.part");
	/* Its creator has returned from the function: it is the region, or another task. */
	expect(REGION "g;GOMP_taskwait;f._omp_fn.0", "main;GOMP_parallel;main._omp_fn.0");
	expect(REGION "f;GOMP_taskwait;f._omp_fn.0;g;GOMP_taskwait;f._omp_fn.1",
		REGION "f;GOMP_taskwait;f._omp_fn.0");
	expect(REGION "f;GOMP_taskwait;f._omp_fn.0;f;GOMP_taskgroup_end;f._omp_fn.1",
		REGION "f;GOMP_taskwait;f._omp_fn.0;f");
	/* No name tells the function. */
	expect(CLANG "f;__kmpc_omp_taskwait;__kmp_invoke;.omp_task_entry.", CLANG "f");
	expect(CLANG "f;g;__kmpc_omp_taskwait;__kmp_invoke;f.omp_task_entry.", CLANG "f");
}
END_TEST

START_TEST(at_barriers_the_region_alone_is_known)
{
	expect(REGION "f;GOMP_barrier;f._omp_fn.0", "main;GOMP_parallel;main._omp_fn.0");
	expect(REGION "f;GOMP_taskwait;f._omp_fn.0;g;GOMP_taskyield;f._omp_fn.0",
		"main;GOMP_parallel;main._omp_fn.0");
	expect(CLANG "f;__kmpc_barrier;__kmp_invoke;.omp_task_entry.",
		"main;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;.omp_outlined.");
	/* The region's function has no frame at its end, and none after a jump. */
	expect("main;GOMP_parallel;gomp_team_end;f._omp_fn.0", "main");
	expect("main;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;__kmpc_barrier;"
	       "__kmp_invoke;.omp_task_entry.",
		"main");
	expect("f;GOMP_taskwait;f._omp_fn.0", "f");
}
END_TEST

START_TEST(workers_at_the_end_of_regions_have_nothing_but_the_task)
{
	expect(WORKER "f._omp_fn.0;f;GOMP_taskwait;f._omp_fn.1", WORKER "f._omp_fn.0;f");
	expect(WORKER "main._omp_fn.0;f;GOMP_barrier;f._omp_fn.1", WORKER "main._omp_fn.0");
}
END_TEST

RUN_TESTS("openmp_tasks", not_all_that_the_runtime_calls_is_a_task,
	what_is_executed_at_once_was_created_there, waits_for_tasks_show_who_has_created_them,
	at_barriers_the_region_alone_is_known,
	workers_at_the_end_of_regions_have_nothing_but_the_task)
