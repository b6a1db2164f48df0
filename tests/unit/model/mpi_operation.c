/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mpi_operation.h"

#include "ranks.h"

static const struct prof_mpi_operation send = {.kind = PROF_OPERATION_SEND,
	.sample = 3,
	.thread = 1,
	.rank = 1,
	.peer = 2,
	.number = 9,
	.posted = 5,
	.begin = 5,
	.end = 8};

START_TEST(what_ends_before_it_begins_is_not_valid)
{
	struct prof_mpi_operation operation = send;

	ck_assert(prof_mpi_operation_is_valid(&operation));
	operation.end = 4;
	ck_assert(!prof_mpi_operation_is_valid(&operation));
	operation = send;
	operation.kind = PROF_OPERATIONS;
	ck_assert(!prof_mpi_operation_is_valid(&operation));
	operation = send;
	operation.bytes = -1;
	ck_assert(!prof_mpi_operation_is_valid(&operation));
}
END_TEST

START_TEST(ranks_that_are_added_up_have_theirs_on_one_time_line)
{
	AUTO_EXPERIMENT struct prof_experiment *into = create_rank_on(0, "a", "k", 100);
	struct prof_experiment *from = create_rank_on(1, "a", "k", 101);
	size_t samples = into->samples.count, threads = into->threads.count;

	ck_assert_ok(prof_mpi_operation_add(into, &send));
	ck_assert_ok(prof_mpi_operation_add(from, &send));
	prof_experiment_check(into);
	merge_rank(into, from);
	ck_assert_uint_eq(into->operations.count, 2);
	const struct prof_mpi_operation *added = &into->operations.items[1];
	ck_assert_uint_eq(added->sample, samples + 3);
	ck_assert_uint_eq(added->thread, threads + 1);
	ck_assert_int_eq(added->begin, RANKS_SECOND + 5);
	ck_assert_int_eq(added->posted, RANKS_SECOND + 5);
	ck_assert_int_eq(added->end, RANKS_SECOND + 8);
	ck_assert_uint_eq(added->number, 9);
}
END_TEST

START_TEST(those_that_are_too_many_are_counted)
{
	AUTO_EXPERIMENT struct prof_experiment *into = create_rank_on(0, "a", "k", 100);
	struct prof_experiment *from = create_rank_on(1, "a", "k", 101);

	while (into->operations.count < PROF_OPERATIONS_MERGED)
		ck_assert_ok(prof_mpi_operation_add(into, &send));
	ck_assert_uint_eq(into->recording.operations_lost, 0);
	ck_assert_ok(prof_mpi_operation_add(into, &send));
	ck_assert_uint_eq(into->operations.count, PROF_OPERATIONS_MERGED);
	ck_assert_uint_eq(into->recording.operations_lost, 1);
	ck_assert_ok(prof_mpi_operation_add(from, &send));
	ck_assert_ok(prof_mpi_operation_add(from, &send));
	from->recording.operations_lost = 10;
	merge_rank(into, from);
	ck_assert_uint_eq(into->operations.count, PROF_OPERATIONS_MERGED);
	ck_assert_uint_eq(into->recording.operations_lost, 13);
}
END_TEST

RUN_TESTS("mpi_operation", what_ends_before_it_begins_is_not_valid,
	ranks_that_are_added_up_have_theirs_on_one_time_line, those_that_are_too_many_are_counted)
