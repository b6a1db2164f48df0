/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/user_stacks.h"

#include "base/text.h"
#include "metric/metric.h"
#include "parallel/class.h"
#include "parallel_stacks.h"
#include "model/spool.h"
#include "samples_program.h"

#define REGION "main@5;GOMP_parallel;main._omp_fn.0;"
#define WORKER "clone3;gomp_thread_start;"

/* What SAMPLES of a stack stand for, added up, as lines "ms CLASS stack". */
static void print_stacks(const struct prof_experiment *experiment, struct prof_text *text)
{
	static const char *const metrics[] = {"omp-work", "omp-wait", "omp-idle", "omp-serial"};
	struct prof_metric metric;

	for (size_t i = 0; i < PROF_COUNT(metrics); i++) {
		AUTO_FREE prof_value *values = NULL;
		ck_assert_ok(prof_metric_find(experiment, metrics[i], &metric));
		ck_assert_ok(prof_metric_by_path(experiment, &metric, NULL, NULL, &values));
		for (uint32_t path = 0; path < experiment->paths.count; path++) {
			AUTO_TEXT struct prof_text stack = {0};
			if (!values[path])
				continue;
			for (uint32_t at = path; at; at = experiment->paths.items[at].parent) {
				const struct prof_frame *frame =
					&experiment->frames
						 .items[experiment->paths.items[at].frame];
				AUTO_FREE char *below = strdup(prof_text_get(&stack));
				stack.length = 0;
				prof_text_print(&stack, ";%s%s",
					prof_experiment_function_name(experiment,
						experiment->locations.items[frame->first_location]
							.function),
					below);
			}
			prof_text_print(text, "%d %s%s\n", (int)(values[path] / PROF_VALUE_ONE),
				metrics[i] + 4, prof_text_get(&stack));
		}
	}
}

/* Fails unless the stacks of EXPERIMENT in MODE are EXPECTED. */
static void expect(
	const struct prof_experiment *experiment, enum prof_stacks mode, const char *expected)
{
	AUTO_EXPERIMENT struct prof_experiment *made = NULL;
	AUTO_TEXT struct prof_text text = {0};

	ck_assert_ok(prof_user_stacks_create(experiment, mode, NULL, &made));
	ck_assert_ptr_nonnull(made);
	prof_experiment_check(made);
	print_stacks(made, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
}

START_TEST(nothing_is_made_without_openmp)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_experiment *made;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 10, 10, PROF_STATE_USER, "main;burn");
	ck_assert_ok(prof_user_stacks_create(experiment, PROF_STACKS_USER, NULL, &made));
	ck_assert_ptr_null(made);
}
END_TEST

START_TEST(workers_continue_who_has_opened_the_region)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 10, 10, PROF_STATE_USER, "main@4;burn");
	add_timed(experiment, 0, 20, 10, PROF_STATE_USER, REGION "burn");
	add_timed(experiment, 1, 20, 10, PROF_STATE_USER, WORKER "main._omp_fn.0;burn");
	add_timed(experiment, 1, 24, 4, PROF_STATE_USER, WORKER "main._omp_fn.0;GOMP_barrier");
	add_timed(experiment, 1, 26, 2, PROF_STATE_RUNQUEUE, WORKER "main._omp_fn.0;burn");
	expect(experiment, PROF_STACKS_USER,
		"20 work;main;main (parallel at main.c:5);burn\n"
		"2 wait;main;main (parallel at main.c:5);burn\n"
		"4 wait;main;main (parallel at main.c:5);<OMP-barrier>\n"
		"10 serial;main;burn\n");
	expect(experiment, PROF_STACKS_MACHINE,
		"10 work;main;GOMP_parallel;main._omp_fn.0;burn\n"
		"10 work;clone3;gomp_thread_start;main._omp_fn.0;burn\n"
		"2 wait;clone3;gomp_thread_start;main._omp_fn.0;burn\n"
		"4 wait;clone3;gomp_thread_start;main._omp_fn.0;GOMP_barrier\n"
		"10 serial;main;burn\n");
}
END_TEST

START_TEST(time_tells_waiting_workers_from_idle_ones)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 30, 30, PROF_STATE_USER, REGION "burn");
	add_timed(experiment, 0, 100, 70, PROF_STATE_USER, "main@6;burn");
	add_timed(experiment, 1, 10, 10, PROF_STATE_USER, WORKER "main._omp_fn.0;burn");
	add_timed(experiment, 1, 90, 80, PROF_STATE_LOCK, WORKER "gomp_wait");
	expect(experiment, PROF_STACKS_USER,
		"40 work;main;main (parallel at main.c:5);burn\n"
		"20 wait;main;main (parallel at main.c:5);<OMP-implicit_barrier>\n"
		"60 idle;<OMP-idle>\n"
		"70 serial;main;burn\n");
	expect(experiment, PROF_STACKS_MACHINE,
		"30 work;main;GOMP_parallel;main._omp_fn.0;burn\n"
		"10 work;clone3;gomp_thread_start;main._omp_fn.0;burn\n"
		"20 wait;clone3;gomp_thread_start;gomp_wait\n"
		"60 idle;clone3;gomp_thread_start;gomp_wait\n"
		"70 serial;main;burn\n");
}
END_TEST

START_TEST(time_tells_who_has_opened_a_region)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int i = 0; i < 2; i++) {
		add_timed(experiment, 0, 20 * i + 10, 10, PROF_STATE_USER,
			i ? "main;b;f@5;GOMP_parallel;f._omp_fn.0"
			  : "main;a;f@5;GOMP_parallel;f._omp_fn.0");
		add_timed(experiment, 0, 20 * i + 20, 10, PROF_STATE_USER, "main");
		add_timed(experiment, 1, 20 * i + 8, i ? 18 : 8, PROF_STATE_USER,
			WORKER "f._omp_fn.0;burn");
	}
	expect(experiment, PROF_STACKS_USER,
		"10 work;main;a;f;f (parallel at main.c:5)\n"
		"8 work;main;a;f;f (parallel at main.c:5);burn\n"
		"10 work;main;b;f;f (parallel at main.c:5)\n"
		"18 work;main;b;f;f (parallel at main.c:5);burn\n"
		"20 serial;main\n");
}
END_TEST

START_TEST(runtime_is_one_function)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 1, 1, PROF_STATE_USER, REGION "burn;__kmpc_critical;__kmp_wait");
	add_timed(experiment, 0, 2, 1, PROF_STATE_USER, REGION "omp_set_lock");
	add_timed(experiment, 0, 3, 1, PROF_STATE_USER, REGION "__kmpc_dispatch_next_4");
	add_timed(experiment, 0, 4, 1, PROF_STATE_USER, REGION "GOMP_taskwait;f._omp_fn.1");
	add_timed(experiment, 0, 5, 1, PROF_STATE_USER,
		"main@5;__kmpc_fork_call;__kmp_join_call;__kmp_wait");
	add_timed(experiment, 0, 6, 1, PROF_STATE_USER, "main@5;GOMP_parallel;gomp_team_start");
	add_timed(experiment, 0, 7, 1, PROF_STATE_USER,
		"main@5;gomp_team_end;gomp_tasks;f._omp_fn.1");
	expect(experiment, PROF_STACKS_USER,
		"2 work;main;main (parallel at main.c:5);<OMP-overhead>\n"
		"2 work;main;main (parallel at main.c:5);f (task)\n"
		"1 wait;main;main (parallel at main.c:5);burn;<OMP-critical_section_wait>\n"
		"1 wait;main;main (parallel at main.c:5);<OMP-lock_wait>\n"
		"1 wait;main;main (parallel at main.c:5);<OMP-implicit_barrier>\n");
}
END_TEST

START_TEST(code_that_clang_wraps_is_one_function)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 1, 1, PROF_STATE_USER,
		"main@5;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;"
		".omp_outlined.;.omp_outlined._debug__@7;burn");
	expect(experiment, PROF_STACKS_USER, "1 work;main;main (parallel at main.c:5);burn\n");
}
END_TEST

START_TEST(regions_that_have_jumped_are_known_by_time)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 9, 9, PROF_STATE_USER,
		"main@5;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;.omp_outlined.");
	add_timed(experiment, 0, 10, 1, PROF_STATE_USER,
		"main@5;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;__kmpc_barrier");
	add_timed(experiment, 1, 6, 6, PROF_STATE_USER,
		"clone3;__kmp_launch;__kmp_invoke_microtask;__kmpc_barrier;__kmp_wait");
	add_timed(experiment, 1, 10, 4, PROF_STATE_USER,
		"clone3;__kmp_launch;__kmp_invoke_microtask;__kmpc_barrier;__kmp_task;f");
	expect(experiment, PROF_STACKS_USER,
		"9 work;main;main (parallel at main.c:5)\n"
		"4 work;main;main (parallel at main.c:5);f\n"
		"7 wait;main;main (parallel at main.c:5);<OMP-barrier>\n");
}
END_TEST

START_TEST(opener_that_was_never_in_its_region_is_known_by_time)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 6, 6, PROF_STATE_USER,
		"main@5;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;__kmpc_barrier");
	add_timed(experiment, 0, 9, 3, PROF_STATE_USER,
		"main@5;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;__kmpc_barrier;"
		"__kmp_task;f");
	add_timed(experiment, 1, 9, 9, PROF_STATE_USER,
		"clone3;__kmp_launch;__kmp_invoke_microtask;.omp_outlined.;burn");
	expect(experiment, PROF_STACKS_USER,
		"3 work;main;main (parallel at main.c:5);f\n"
		"9 work;main;main (parallel at main.c:5);burn\n"
		"6 wait;main;main (parallel at main.c:5);<OMP-barrier>\n");
}
END_TEST

START_TEST(nested_regions_are_joined_too)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 10, 10, PROF_STATE_USER, REGION "burn");
	add_timed(experiment, 1, 10, 10, PROF_STATE_USER,
		WORKER "main._omp_fn.0;g@9;GOMP_parallel;g._omp_fn.0");
	add_timed(experiment, 2, 10, 10, PROF_STATE_USER, WORKER "g._omp_fn.0;burn");
	expect(experiment, PROF_STACKS_USER,
		"10 work;main;main (parallel at main.c:5);burn\n"
		"10 work;main;main (parallel at main.c:5);g;g (parallel at main.c:9)\n"
		"10 work;main;main (parallel at main.c:5);g;g (parallel at main.c:9);burn\n");
}
END_TEST

/* What PATH of EXPERIMENT has of the metric NAME, in ms. */
static int total_of(const struct prof_experiment *experiment, const char *name)
{
	struct prof_metric metric;
	AUTO_FREE prof_value *values = NULL;
	prof_value sum = 0;

	ck_assert_ok(prof_metric_find(experiment, name, &metric));
	ck_assert_ok(prof_metric_by_path(experiment, &metric, NULL, NULL, &values));
	for (uint32_t path = 0; path < experiment->paths.count; path++)
		sum += values[path];
	return (int)(sum / PROF_VALUE_ONE);
}

/* Packed rows have of the row before what is the same. */
START_TEST(rows_that_follow_their_like_are_read_as_they_are)
{
	enum { ROUNDS = 2 * PROF_SAMPLES_BLOCK };
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 100, 100, PROF_STATE_USER, REGION "burn");
	add_timed(experiment, 0, 2000000, 1999900, PROF_STATE_USER, "main@6;burn");
	for (int i = 0; i < ROUNDS; i++)
		add_timed(experiment, 1, 150 + 100 * i, 100, PROF_STATE_LOCK, WORKER "gomp_wait");
	for (int i = 0; i < ROUNDS; i++)
		add_timed(experiment, 0, 2000000, 1, PROF_STATE_USER, REGION "burn");
	expect(experiment, PROF_STACKS_USER,
		"4196 work;main;main (parallel at main.c:5);burn\n"
		"50 wait;main;main (parallel at main.c:5);<OMP-implicit_barrier>\n"
		"409550 idle;<OMP-idle>\n"
		"1999900 serial;main;burn\n");
}
END_TEST

START_TEST(large_experiments_do_not_fill_memory)
{
	enum { ROUNDS = 3000 };
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_EXPERIMENT struct prof_experiment *made = NULL;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int i = 0; i < ROUNDS; i++) {
		int64_t at = 100 * i;
		add_timed(experiment, 1, at + 30, 30, PROF_STATE_USER, REGION "burn");
		add_timed(experiment, 1, at + 100, 70, PROF_STATE_USER, "main@6;burn");
		add_timed(experiment, 2, at + 90, 80, PROF_STATE_LOCK, WORKER "gomp_wait");
	}
	/* The path of thread 0 is the empty one. */
	add_large_samples(experiment, PROF_SPOOL_HELD);
	ck_assert_ok(prof_user_stacks_create(experiment, PROF_STACKS_USER, NULL, &made));
	ck_assert_uint_le(made->samples.held, PROF_SPOOL_HELD);
	ck_assert_ptr_nonnull(made->samples.source.read);
	ck_assert_uint_eq(made->samples.count, experiment->samples.count + ROUNDS);
	ck_assert_mem_eq(
		made->samples.totals, experiment->samples.totals, sizeof made->samples.totals);
	ck_assert_int_eq(total_of(made, "omp-wait"), 20 * ROUNDS);
	ck_assert_int_eq(total_of(made, "omp-idle"), 60 * ROUNDS);
}
END_TEST

RUN_TESTS("user_stacks", opener_that_was_never_in_its_region_is_known_by_time,
	regions_that_have_jumped_are_known_by_time, nothing_is_made_without_openmp,
	workers_continue_who_has_opened_the_region, time_tells_waiting_workers_from_idle_ones,
	time_tells_who_has_opened_a_region, runtime_is_one_function,
	code_that_clang_wraps_is_one_function, nested_regions_are_joined_too,
	rows_that_follow_their_like_are_read_as_they_are, large_experiments_do_not_fill_memory)
