/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ranks of a parallel job, and how their experiments are added up. */
#include "model/rank.h"

#include "ranks.h"

/* The rank of THREAD, or PROF_RANK_NONE. */
static int64_t of_thread(const struct prof_experiment *experiment, uint32_t thread)
{
	const struct prof_rank *rank = prof_rank_of_thread(experiment, thread);

	return rank ? rank->rank : PROF_RANK_NONE;
}

static int64_t of_mark(const struct prof_experiment *experiment, uint32_t mark)
{
	const struct prof_rank *rank = prof_rank_of_mark(experiment, mark);

	return rank ? rank->rank : PROF_RANK_NONE;
}

/* When rank's MARK was, in seconds. */
static double mark_at(const struct prof_experiment *experiment, size_t mark)
{
	return (double)experiment->marks.items[mark].time / RANKS_SECOND;
}

START_TEST(threads_and_marks_are_those_of_their_rank)
{
	struct prof_experiment *sum = create_rank_on(3, "a", "k", 100);

	merge_rank(sum, create_rank_on(0, "a", "k", 100));
	ck_assert_uint_eq(sum->ranks.count, 2);
	for (uint32_t i = 0; i < 4; i++) {
		ck_assert_int_eq(of_thread(sum, i), i < 2 ? 3 : 0);
		ck_assert_int_eq(of_mark(sum, i), i < 2 ? 3 : 0);
	}
	ck_assert_str_eq(prof_experiment_text(sum, sum->ranks.items[1].host), "a");
	ck_assert_str_eq(prof_experiment_text(sum, sum->ranks.items[1].launcher), "Open MPI");
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(what_is_in_no_job_has_no_rank)
{
	struct prof_experiment *sum = program_create();

	ck_assert(!prof_rank_any(sum));
	ck_assert_int_eq(of_thread(sum, 0), PROF_RANK_NONE);
	merge_rank(sum, create_rank_on(1, "a", "k", 100));
	merge_rank(sum, program_create());
	merge_rank(sum, create_rank_on(2, "a", "k", 100));
	ck_assert(prof_rank_any(sum));
	for (uint32_t i = 0; i < 8; i++)
		ck_assert_int_eq(of_thread(sum, i),
			i / 2 == 1           ? 1
				: i / 2 == 3 ? 2
					     : PROF_RANK_NONE);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(ranks_of_one_clock_lie_side_by_side_in_time)
{
	struct prof_experiment *sum = create_rank_on(0, "a", "k", 100);

	merge_rank(sum, create_rank_on(1, "a", "k", 101.5));
	merge_rank(sum, create_rank_on(2, "a", "k", 99));
	ck_assert_double_eq(mark_at(sum, 2), 1.5);
	ck_assert_double_eq(mark_at(sum, 3), 5.5);
	ck_assert_double_eq(mark_at(sum, 4), -1);
	ck_assert_double_eq(mark_at(sum, 5), 3);
	ck_assert_int_eq(sample_at(sum, 4).time, 5 * (int64_t)RANKS_SECOND / 2);
	/* Sums of several can be added in any order, as where halves of a job are merged first. */
	struct prof_experiment *half = create_rank_on(3, "a", "k", 103);
	merge_rank(half, sum);
	ck_assert_double_eq(mark_at(half, 2), -3);
	ck_assert_double_eq(mark_at(half, 4), -1.5);
	ck_assert_double_eq(mark_at(half, 6), -4);
	prof_experiment_destroy(half);
}
END_TEST

START_TEST(the_calendar_aligns_different_hosts)
{
	struct prof_experiment *sum = create_rank_on(0, "a", "k", 100);
	struct prof_experiment *other = create_rank_on(1, "b", "l", 100.25);

	/* It was started later, as its clock since the start tells nothing. */
	other->ranks.items[0].monotonic = 5;
	merge_rank(sum, other);
	ck_assert_double_eq(mark_at(sum, 2), 0.25);
	/* One clock knows better than the calendar: this one is of the second host. */
	struct prof_experiment *third = create_rank_on(2, "b", "l", 300);
	third->ranks.items[0].monotonic = 5 + 2 * (int64_t)RANKS_SECOND;
	merge_rank(sum, third);
	ck_assert_double_eq(mark_at(sum, 4), 2.25);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(other_jobs_and_the_same_rank_follow_in_time)
{
	struct prof_experiment *sum = create_rank_on(0, "a", "k", 100);

	merge_rank(sum, create_rank_on(0, "a", "k", 101));
	ck_assert_double_eq(mark_at(sum, 2), 4);
	struct prof_experiment *other = create_rank_on(1, "a", "k", 101);
	uint32_t job = program_string(other, "8");
	other->ranks.items[0].job = job;
	merge_rank(sum, other);
	ck_assert_double_eq(mark_at(sum, 4), 8);
	merge_rank(sum, program_create());
	ck_assert_int_eq(sample_at(sum, 12).time, 13 * (int64_t)RANKS_SECOND);
	prof_experiment_destroy(sum);
}
END_TEST

/* MPICH gives its jobs no names. */
START_TEST(jobs_without_a_name_are_one_if_they_overlap)
{
	struct prof_rank_request request = {0, 2, "MPICH", "", "a", "k",
		100 * (int64_t)RANKS_SECOND, 1100 * (int64_t)RANKS_SECOND};
	struct prof_experiment *sum = create_rank(&request);

	request.rank = 1;
	request.monotonic += 4 * (int64_t)RANKS_SECOND;
	merge_rank(sum, create_rank(&request));
	ck_assert_double_eq(mark_at(sum, 2), 4);
	ck_assert_double_eq(mark_at(sum, 3), 8);
	prof_experiment_destroy(sum);

	request.rank = 0;
	sum = create_rank(&request);
	request.rank = 1;
	request.monotonic += 5 * (int64_t)RANKS_SECOND;
	merge_rank(sum, create_rank(&request));
	ck_assert_double_eq(mark_at(sum, 2), 4);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(clocks_that_can_not_be_do_no_harm)
{
	struct prof_experiment *sum = create_rank_on(0, "a", "k", 100);
	struct prof_experiment *far = create_rank_on(1, "a", "k", 100);

	sum->ranks.items[0].monotonic = -PROF_TIME_MOST;
	far->ranks.items[0].monotonic = PROF_TIME_MOST;
	merge_rank(sum, far);
	ck_assert_double_eq(mark_at(sum, 2), 4);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(its_name_stands_before_others)
{
	struct prof_experiment *experiment = create_rank_on(2, "a", "k", 0);
	AUTO_TEXT struct prof_text text = {0};

	prof_rank_print(NULL, &text);
	prof_rank_print(prof_rank_of_thread(experiment, 0), &text);
	ck_assert_str_eq(prof_text_get(&text), "rank 2: ");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("rank", threads_and_marks_are_those_of_their_rank, what_is_in_no_job_has_no_rank,
	ranks_of_one_clock_lie_side_by_side_in_time, the_calendar_aligns_different_hosts,
	other_jobs_and_the_same_rank_follow_in_time, jobs_without_a_name_are_one_if_they_overlap,
	clocks_that_can_not_be_do_no_harm, its_name_stands_before_others)
