/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of ranks, and what other views say of them. */
#include "metric/selection.h"
#include "ranks.h"
#include "view_support.h"

/* Rank 1 of four on the host "a", and rank 3, which began a second later, on "b". */
static struct prof_experiment *create(void)
{
	struct prof_experiment *sum = create_rank_on(1, "a", "k", 100);

	merge_rank(sum, create_rank_on(3, "b", "l", 101));
	free(sum->recording.program);
	sum->recording.program = strdup("/bin/prog");
	return sum;
}

START_TEST(lists_ranks_and_how_even_they_are)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .metrics = ".samples"};
	struct prof_experiment *sum = create();

	check_text(show("ranks", sum, &choice),
		"rank,host,samples\n,<Total>,32\n1,a,16\n3,b,16\n"
		",<Minimum>,16\n,<Mean>,16\n,<Maximum>,16\n");
	choice.filter.values[PROF_CONDITION_THREAD] = "11";
	choice.filter.values[PROF_CONDITION_RANK] = "3";
	check_text(show("ranks", sum, &choice),
		"rank,host,samples\n,<Total>,10\n3,b,10\n"
		",<Minimum>,10\n,<Mean>,10\n,<Maximum>,10\n");
	/* One that the filter lets pass counts, whatever else it leaves of it. */
	choice.filter = (struct prof_filter){
		.values[PROF_CONDITION_RANK] = "1,3", .values[PROF_CONDITION_TIME] = "4.5s-"};
	check_text(show("ranks", sum, &choice),
		"rank,host,samples\n,<Total>,1\n3,b,1\n1,a,0\n"
		",<Minimum>,0\n,<Mean>,0.5\n,<Maximum>,1\n");
	merge_rank(sum, program_create());
	choice = (struct prof_choice){.format = PROF_FORMAT_CSV, .metrics = ".samples"};
	check_text(show("ranks", sum, &choice),
		"rank,host,samples\n,<Total>,48\n1,a,16\n3,b,16\n,<Unknown>,16\n"
		",<Minimum>,16\n,<Mean>,16\n,<Maximum>,16\n");
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(text_says_the_imbalance)
{
	struct prof_choice choice = {.metrics = "samples"};
	struct prof_experiment *sum = create();

	choice.filter.values[PROF_CONDITION_TIME] = "-4.5s";
	AUTO_FREE char *text = show("ranks", sum, &choice);
	ck_assert_ptr_nonnull(strstr(text, "2 of 4 ranks on 2 hosts.\n"));
	ck_assert_msg(strstr(text, "\nImbalance, the maximum above the mean: samples 3.2 %.\n"),
		"%s", text);
	prof_experiment_destroy(sum);

	sum = program_create();
	free(text);
	text = show("ranks", sum, &choice);
	ck_assert_ptr_nonnull(strstr(text,
		"No ranks: nothing here was recorded in a parallel job that mpirun or srun started.\n"));
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(threads_and_processes_tell_their_rank)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .metrics = ".samples"};
	struct prof_experiment *sum = create();

	for (uint32_t i = 0; i < 4; i++)
		ck_assert_ok(prof_experiment_own(sum, i, 11));
	check_text(show("threads", sum, &choice),
		"rank,thread,name,samples\n,,<Total>,32\n1,11,main,10\n3,11,main,10\n"
		"1,12,worker,6\n3,12,worker,6\n");
	/* Processes of different hosts may have the same id. */
	check_text(show("processes", sum, &choice),
		"rank,process,name,samples\n,,<Total>,32\n1,11,main,16\n3,11,main,16\n");
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(marks_of_all_ranks_lie_on_one_line)
{
	struct prof_choice choice = {0};
	struct prof_experiment *sum = create();
	AUTO_FREE char *text = show("intervals", sum, &choice);

	ck_assert_msg(strstr(text, "rank 1: start .. rank 3: start\n"), "%s", text);
	ck_assert_msg(strstr(text, "rank 3: start .. rank 1: end\n"), "%s", text);
	ck_assert_msg(strstr(text, "rank 1: end .. rank 3: end\n"), "%s", text);
	choice.format = PROF_FORMAT_CSV;
	free(text);
	text = show("overview", sum, &choice);
	/* Both have used 3 s. */
	ck_assert_msg(strstr(text, ",6,"), "%s", text);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(filter_that_names_no_rank_is_refused)
{
	static const struct {
		const char *list, *message;
	} wrong[] = {
		{"0", "The experiment has no rank \"0\"; see prof-ranks."},
		{"1,4-9", "The experiment has no rank \"4-9\"; see prof-ranks."},
		{"x", "\"x\" is not a list of ranks: give numbers and ranges, such as 0-15,63."},
	};
	struct prof_experiment *sum = create();

	for (size_t i = 0; i < PROF_COUNT(wrong); i++) {
		struct prof_selection *selection;
		const struct prof_filter filter = {.values[PROF_CONDITION_RANK] = wrong[i].list};
		AUTO_ERROR struct prof_error *error =
			prof_selection_create(sum, &filter, &selection);
		ck_assert_str_eq(prof_error_message(error), wrong[i].message);
	}
	prof_experiment_destroy(sum);
}
END_TEST

RUN_TESTS("ranks", lists_ranks_and_how_even_they_are, text_says_the_imbalance,
	threads_and_processes_tell_their_rank, marks_of_all_ranks_lie_on_one_line,
	filter_that_names_no_rank_is_refused)
