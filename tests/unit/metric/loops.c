/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/loops.h"

#include "metric/filter.h"
#include "metric/selection.h"
#include "model/call_target.h"
#include "parallel/user_stacks.h"
#include "parallel_stacks.h"

#include <stdio.h>

/* Makes of MET, which is destroyed, what is shown. */
static struct prof_experiment *shown(struct prof_experiment *met)
{
	struct prof_experiment *made;

	ck_assert_ok(prof_user_stacks_create(met, PROF_STACKS_USER, NULL, &made));
	prof_experiment_destroy(met);
	return made;
}

static void trace(struct prof_experiment *met, uint32_t thread, const char *names,
	const int64_t values[PROF_TRACED_VALUES])
{
	const struct prof_traced_row row = {
		.sample = (uint32_t)met->samples.count, .object = PROF_NONE, .holder = PROF_NONE};
	uint32_t number = (uint32_t)met->traced.count;

	add_timed(met, thread, 10, 0, PROF_STATE_USER, names);
	ck_assert_ok(prof_experiment_traced(met, &row));
	prof_experiment_traced_values(met, number, values, 0);
}

/* Two threads share out a loop at line 7 and one at line 9, and one thread has the `single`. */
static struct prof_experiment *make_traced(void)
{
	static const char own[] =
		"main@5;__kmpc_fork_call;__kmp_invoke_microtask;main.omp_outlined";
	static const char worker[] = "clone3;__kmp_launch;__kmp_invoke_microtask;main.omp_outlined";
	struct prof_experiment *met;
	char names[2][96];

	ck_assert_ok(prof_experiment_create(&met));
	add_timed(met, 0, 30, 30, PROF_STATE_USER, own);
	snprintf(names[0], sizeof names[0], "%s@7;__kmpc_for_static_init_4", own);
	snprintf(names[1], sizeof names[1], "%s@7;__kmpc_for_static_init_4", worker);
	trace(met, 0, names[0],
		(int64_t[PROF_TRACED_VALUES]){
			[PROF_TRACED_OMP_LOOPS] = 3, [PROF_TRACED_OMP_LOOP] = 30});
	trace(met, 1, names[1],
		(int64_t[PROF_TRACED_VALUES]){
			[PROF_TRACED_OMP_LOOP] = 10, [PROF_TRACED_OMP_LOOP_WAIT] = 20});
	trace(met, 0, names[0],
		(int64_t[PROF_TRACED_VALUES]){
			[PROF_TRACED_OMP_LOOPS] = 1, [PROF_TRACED_OMP_LOOP] = 10});
	snprintf(names[0], sizeof names[0], "%s@9;__kmpc_single", own);
	trace(met, 0, names[0],
		(int64_t[PROF_TRACED_VALUES]){
			[PROF_TRACED_OMP_SINGLES] = 2, [PROF_TRACED_OMP_LOOP] = 100});
	return shown(met);
}

START_TEST(traced_loops_are_added_up_by_place)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_traced();
	AUTO_LOOP_SUMS struct prof_loop_sums sums = {0};

	ck_assert_ok(prof_loop_sums_init(&sums, experiment, NULL, NULL));
	ck_assert_uint_eq(sums.items.count, 2);
	const struct prof_loop_sum *single = &sums.items.items[0], *loop = &sums.items.items[1];
	ck_assert_uint_eq(single->region, loop->region);
	ck_assert_int_eq(single->code, PROF_SHARED_SINGLE);
	ck_assert_uint_eq(single->line, 9);
	ck_assert_uint_eq(single->threads, 1);
	ck_assert_uint_eq(single->instances, 2);
	ck_assert_int_eq(loop->code, PROF_SHARED_LOOP);
	ck_assert_str_eq(prof_experiment_text(experiment, loop->file), "main.c");
	ck_assert_uint_eq(loop->line, 7);
	ck_assert_uint_eq(loop->threads, 2);
	ck_assert_uint_eq(loop->instances, 4);
	ck_assert(loop->traced && loop->work == prof_value_of(50));
	ck_assert(loop->wait == prof_value_of(20));
	ck_assert(loop->most == prof_value_of(40) && loop->all == prof_value_of(50));
}
END_TEST

START_TEST(only_what_is_selected_counts)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_traced();
	AUTO_LOOP_SUMS struct prof_loop_sums sums = {0};
	struct prof_filter filter = {.values[PROF_CONDITION_THREAD] = "2"};
	struct prof_selection *selection;

	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	ck_assert_ok(prof_loop_sums_init(&sums, experiment, selection, NULL));
	ck_assert_uint_eq(sums.items.count, 1);
	ck_assert(sums.items.items[0].work == prof_value_of(10));
	/* This thread does not count its instances, and its stack alone does not tell what it is.
	 */
	ck_assert_uint_eq(sums.items.items[0].instances, 0);
	ck_assert_int_eq(sums.items.items[0].code, PROF_SHARED_LOOP);
	prof_selection_destroy(selection);
}
END_TEST

/* Lets the last frame but one of PATH have called NAME. */
static void call(struct prof_experiment *met, const char *path, const char *name)
{
	uint32_t caller = met->paths.items[path_of_names(met, path)].parent;

	ck_assert_ok(prof_call_target_add(met, met->paths.items[caller].frame, name));
}

START_TEST(without_tracing_calls_of_the_runtime_show_loops)
{
	static const char in_loop[] = "main@5;GOMP_parallel;main._omp_fn.0@8;[libgomp.so.1]a";
	static const char other[] = "main@5;GOMP_parallel;main._omp_fn.0@9;[libgomp.so.1]a";
	struct prof_experiment *met;
	AUTO_LOOP_SUMS struct prof_loop_sums sums = {0};

	ck_assert_ok(prof_experiment_create(&met));
	add_timed(met, 0, 30, 30, PROF_STATE_USER, "main@5;GOMP_parallel;main._omp_fn.0;burn");
	add_timed(met, 0, 40, 10, PROF_STATE_LOCK, in_loop);
	add_timed(met, 0, 50, 10, PROF_STATE_LOCK, other);
	call(met, in_loop, "GOMP_loop_end");
	call(met, other, "GOMP_barrier (implicit)");
	AUTO_EXPERIMENT struct prof_experiment *experiment = shown(met);
	ck_assert_ok(prof_loop_sums_init(&sums, experiment, NULL, NULL));
	ck_assert_uint_eq(sums.items.count, 1);
	const struct prof_loop_sum *loop = &sums.items.items[0];
	ck_assert(!loop->traced && loop->wait == prof_value_of(10) && !loop->work);
	ck_assert_int_eq(loop->code, PROF_SHARED_LOOP);
	ck_assert_uint_eq(loop->line, 8);
	ck_assert_uint_eq(loop->threads, 1);
}
END_TEST

RUN_TESTS("loops", traced_loops_are_added_up_by_place, only_what_is_selected_counts,
	without_tracing_calls_of_the_runtime_show_loops)
