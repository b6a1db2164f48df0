/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is said of the ranks that an experiment has. */
#include "report/recording.h"

#include "ranks.h"

static void check_says(const struct prof_experiment *experiment, const char *expected)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_recording_print_ranks(experiment, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
}

START_TEST(says_which_ranks_there_are)
{
	struct prof_experiment *sum = program_create();

	check_says(sum, "");
	merge_rank(sum, create_rank_on(2, "a", "k", 100));
	check_says(sum, "Rank 2 of 4 on the host a.\n");
	merge_rank(sum, create_rank_on(0, "a", "k", 100));
	check_says(sum, "2 of 4 ranks on the host a.\n");
	/* A second run of the same job. */
	merge_rank(sum, create_rank_on(2, "a", "k", 200));
	check_says(sum, "2 of 4 ranks on the host a.\n");
	merge_rank(sum, create_rank_on(1, "b", "l", 100));
	check_says(sum,
		"3 of 4 ranks on 2 hosts.\n"
		"The clocks of different hosts may differ, so their times can be compared only roughly.\n");
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(says_that_ranks_are_of_several_jobs)
{
	const struct prof_rank_request other = {.rank = 2,
		.size = 4,
		.launcher = "Open MPI",
		.job = "8",
		.host = "a",
		.kernel = "k"};
	struct prof_experiment *sum = program_create();

	merge_rank(sum, create_rank_on(2, "a", "k", 100));
	merge_rank(sum, create_rank(&other));
	check_says(sum,
		"Rank 2 of 4 on the host a.\n"
		"These are ranks of 2 jobs: those of the same number are added up.  Load the files of one job to see it alone.\n");
	prof_experiment_destroy(sum);
}
END_TEST

RUN_TESTS("ranks", says_which_ranks_there_are, says_that_ranks_are_of_several_jobs)
