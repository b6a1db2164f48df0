/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of parallel regions. */
#include "parallel/user_stacks.h"
#include "parallel_stacks.h"
#include "view_support.h"

enum { MS = 1000000 };

/* Two threads in a region, of which one waits for the other. */
static struct prof_experiment *make(void)
{
	AUTO_EXPERIMENT struct prof_experiment *met;
	struct prof_experiment *made;

	ck_assert_ok(prof_experiment_create(&met));
	add_timed(met, 0, 30 * MS, 30 * MS, PROF_STATE_USER,
		"main@5;GOMP_parallel;main._omp_fn.0;burn");
	add_timed(met, 1, 10 * MS, 10 * MS, PROF_STATE_USER,
		"clone3;gomp_thread_start;main._omp_fn.0;burn");
	add_timed(met, 1, 30 * MS, 20 * MS, PROF_STATE_LOCK, "clone3;gomp_thread_start;gomp_wait");
	ck_assert_ok(prof_user_stacks_create(met, PROF_STACKS_USER, NULL, &made));
	return made;
}

START_TEST(lists_regions)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();

	check_text(show("regions", experiment, &choice),
		"region,file,line,threads,instances,omp_work,omp_wait,omp_wait_percent,"
		"imbalance_percent,inside,explicit_barrier,implicit_barrier,critical_wait,lock_wait,"
		"task_wait,kind\n"
		"main (parallel at main.c:5),main.c,5,2,,0.04,0.02,33.333333333333336,50,,,,,,,"
		"parallel\n");
}
END_TEST

START_TEST(text_has_a_row_each)
{
	struct prof_choice choice = {0};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	AUTO_FREE char *text = show("regions", experiment, &choice);

	ck_assert_msg(strstr(text,
			      " 0.040   0.020  33.33      50.00        2"
			      "             main (parallel at main.c:5)\n"),
		"%s", text);
}
END_TEST

/* The same, and a region that was traced: it was opened twice, and a thread has waited. */
static struct prof_experiment *make_traced(void)
{
	static const int64_t values[PROF_TRACED_VALUES] = {[PROF_TRACED_OMP_REGIONS] = 2,
		[PROF_TRACED_OMP_INSIDE] = 90 * MS,
		[PROF_TRACED_OMP_IMPLICIT] = 30 * MS};
	AUTO_EXPERIMENT struct prof_experiment *met;
	struct prof_experiment *made;

	ck_assert_ok(prof_experiment_create(&met));
	add_timed(met, 0, 30 * MS, 30 * MS, PROF_STATE_USER,
		"main@5;GOMP_parallel;main._omp_fn.0;burn");
	add_timed(met, 1, 10 * MS, 0, PROF_STATE_USER, "main@9;__kmpc_fork_call;__kmp_join_call");
	const struct prof_traced_row row = {.sample = 1, .object = PROF_NONE, .holder = PROF_NONE};
	ck_assert_ok(prof_experiment_traced(met, &row));
	prof_experiment_traced_values(met, 0, values, 0);
	ck_assert_ok(prof_user_stacks_create(met, PROF_STACKS_USER, NULL, &made));
	return made;
}

START_TEST(traced_regions_have_instances_and_waits)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_traced();
	AUTO_FREE char *text = show("regions", experiment, &choice);

	ck_assert_msg(strstr(text, "main (parallel at main.c:9),main.c,9,1,2,0,0,"), "%s", text);
	ck_assert_msg(strstr(text, ",0,0.09,0,0.03,0,0,0,parallel\nmain (parallel at main.c:5),"),
		"%s", text);
}
END_TEST

START_TEST(text_has_waits_where_any_were_traced)
{
	struct prof_choice choice = {0};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_traced();
	AUTO_FREE char *text = show("regions", experiment, &choice);

	ck_assert_msg(strstr(text, "   0.090     0.000     0.030     0.000  0.000     0.000  main"),
		"%s", text);
	ck_assert_msg(
		strstr(text, "        1                                           "), "%s", text);
}
END_TEST

/* A loop in a region that two threads share out: the second one waits at its end. */
static struct prof_experiment *make_loop(void)
{
	static const int64_t values[][PROF_TRACED_VALUES] = {
		{[PROF_TRACED_OMP_LOOPS] = 2, [PROF_TRACED_OMP_LOOP] = 30 * MS},
		{[PROF_TRACED_OMP_LOOP] = 10 * MS, [PROF_TRACED_OMP_LOOP_WAIT] = 20 * MS}};
	AUTO_EXPERIMENT struct prof_experiment *met;
	struct prof_experiment *made;

	ck_assert_ok(prof_experiment_create(&met));
	add_timed(met, 0, 30 * MS, 30 * MS, PROF_STATE_USER,
		"main@5;GOMP_parallel;main._omp_fn.0;burn");
	add_timed(met, 0, 10 * MS, 0, PROF_STATE_USER,
		"main@5;GOMP_parallel;main._omp_fn.0@7;__kmpc_for_static_init_4");
	add_timed(met, 1, 10 * MS, 0, PROF_STATE_USER,
		"clone3;gomp_thread_start;main._omp_fn.0@7;__kmpc_for_static_init_4");
	for (uint32_t i = 0; i < 2; i++) {
		const struct prof_traced_row row = {
			.sample = i + 1, .object = PROF_NONE, .holder = PROF_NONE};
		ck_assert_ok(prof_experiment_traced(met, &row));
		prof_experiment_traced_values(met, i, values[i], 0);
	}
	ck_assert_ok(prof_user_stacks_create(met, PROF_STACKS_USER, NULL, &made));
	return made;
}

START_TEST(loops_are_below_their_region)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_loop();
	AUTO_FREE char *data = show("regions", experiment, &choice);
	choice.format = PROF_FORMAT_TEXT;
	AUTO_FREE char *text = show("regions", experiment, &choice);

	ck_assert_msg(strstr(data,
			      ",parallel\n"
			      "main (loop at main.c:7),main.c,7,2,2,0.04,0.02,33.333333333333336,"
			      "50,0.06,,,,,,loop\n"),
		"%s", data);
	ck_assert_msg(strstr(text, "    main (loop at main.c:7)\n"), "%s", text);
}
END_TEST

START_TEST(text_says_that_there_are_none)
{
	struct prof_choice choice = {0};
	AUTO_EXPERIMENT struct prof_experiment *experiment = experiment_of("main;a 1\n", true);
	AUTO_FREE char *text = show("regions", experiment, &choice);

	ck_assert_ptr_nonnull(strstr(text, "No samples in parallel regions of OpenMP.\n"));
}
END_TEST

RUN_TESTS("regions", lists_regions, text_has_a_row_each, traced_regions_have_instances_and_waits,
	text_has_waits_where_any_were_traced, loops_are_below_their_region,
	text_says_that_there_are_none)
