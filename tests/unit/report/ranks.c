/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is said of the ranks that an experiment has. */
#include "report/recording.h"

#include "operations.h"
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

START_TEST(says_how_far_clocks_may_differ)
{
	struct prof_experiment *sum = create_rank_on(0, "a", "k", 100);
	uint32_t second = (uint32_t)sum->threads.count;

	merge_rank(sum, create_rank_on(1, "b", "l", 100));
	for (int64_t rank = 0; rank < 2; rank++) {
		operate_init(rank);
		operate_all(PROF_OPERATION_BARRIER, rank, -1, 2, 1000000, 1499010);
	}
	for (size_t i = 0; i < operation_count; i++) {
		operations[i].thread = operations[i].rank ? second : 0;
		ck_assert_ok(prof_mpi_operation_add(sum, &operations[i]));
	}
	check_says(sum,
		"2 of 4 ranks on 2 hosts.\n"
		"The clocks of the hosts differ from that of rank 0 by at most 0.000500 s, as the messages between them show.\n");
	/* Of a third host no message is known. */
	merge_rank(sum, create_rank_on(2, "c", "m", 100));
	sum->recording.clock_correction = 3000000;
	check_says(sum,
		"3 of 4 ranks on 3 hosts.\n"
		"gdbprof has moved the clocks of hosts by up to 0.003000 s, so that no message arrives before it was sent.\n"
		"The clocks of some hosts differ from that of rank 0 by at most 0.000500 s, as the messages between them show.\n"
		"The clocks of 1 of 3 hosts may differ by more, so their times can be compared only roughly.\n");
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(says_that_clocks_run_at_different_speeds)
{
	struct prof_experiment *sum = create_rank_on(0, "a", "k", 100);

	merge_rank(sum, create_rank_on(1, "b", "l", 100));
	uint32_t second = (uint32_t)sum->threads.count - 1;
	for (int64_t rank = 0; rank < 2; rank++) {
		operate_init(rank);
		operate_all(PROF_OPERATION_BARRIER, rank, -1, 2, 100000, 200000);
		operate_all(PROF_OPERATION_BARRIER, rank, -1, 2, 1000000 + 400000 * rank,
			1100000 + 400000 * rank);
	}
	for (size_t i = 0; i < operation_count; i++) {
		operations[i].thread = operations[i].rank ? second : 0;
		ck_assert_ok(prof_mpi_operation_add(sum, &operations[i]));
	}
	check_says(sum,
		"2 of 4 ranks on 2 hosts.\n"
		"The clocks of the hosts run at different speeds: messages seem to arrive up to 0.000100 s before they were sent.\n");
	prof_experiment_destroy(sum);
}
END_TEST

RUN_TESTS("ranks", says_which_ranks_there_are, says_that_ranks_are_of_several_jobs,
	says_how_far_clocks_may_differ, says_that_clocks_run_at_different_speeds)
