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
		"imbalance_percent\n"
		"main (parallel at main.c:5),main.c,5,2,,0.04,0.02,33.333333333333336,50\n");
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

START_TEST(text_says_that_there_are_none)
{
	struct prof_choice choice = {0};
	AUTO_EXPERIMENT struct prof_experiment *experiment = experiment_of("main;a 1\n", true);
	AUTO_FREE char *text = show("regions", experiment, &choice);

	ck_assert_ptr_nonnull(strstr(text, "No samples in parallel regions of OpenMP.\n"));
}
END_TEST

RUN_TESTS("regions", lists_regions, text_has_a_row_each, text_says_that_there_are_none)
