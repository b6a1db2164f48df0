/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mpi_clocks.h"

#include "operations.h"
#include "ranks.h"

/* Two ranks on hosts of their own, which end their work. */
static struct prof_experiment *create(bool other_kernel)
{
	struct prof_experiment *into = create_rank_on(0, "a", "k", 100);
	uint32_t second = (uint32_t)into->threads.count;

	merge_rank(into, create_rank_on(1, "b", other_kernel ? "l" : "k", 100));
	for (int64_t rank = 0; rank < 2; rank++)
		operate_finalize(rank);
	for (size_t i = 0; i < operation_count; i++) {
		operations[i].thread = operations[i].rank ? second : 0;
		ck_assert_ok(prof_mpi_operation_add(into, &operations[i]));
	}
	return into;
}

/* What they say of their clocks, of which the second one has OFFSET. */
static struct prof_mpi_clocks find(bool other_kernel, int64_t offset)
{
	AUTO_EXPERIMENT struct prof_experiment *into = create(other_kernel);
	AUTO_MPI_CLOCKS struct prof_mpi_clocks clocks = {0};

	ck_assert_ok(prof_mpi_clocks_find(into, &clocks));
	ck_assert_uint_eq(clocks.items.count, other_kernel ? 2 : 1);
	if (other_kernel)
		ck_assert_int_eq(clocks.items.items[1].offset.offset, offset);
	ck_assert_int_eq(prof_mpi_clocks_differ(&clocks), offset != 0);
	return (struct prof_mpi_clocks){
		.bounded = clocks.bounded, .differ = clocks.differ, .early = clocks.early};
}

static void init(void)
{
	operate_init(0);
	operate_init(1);
}

/* A message from FROM to TO, each by its own clock. */
static void deliver(int64_t from, int64_t to, int64_t sent, int64_t received)
{
	operate_message(PROF_OPERATION_SEND, from, to, sent, sent + 1);
	operate_message(PROF_OPERATION_RECEIVE, to, from, received - 1, received);
}

/* The second clock is ahead by 50: messages take 10 and 20. */
static void deliver_both(void)
{
	init();
	deliver(0, 1, 100, 160);
	deliver(0, 1, 200, 290);
	deliver(1, 0, 350, 320);
}

static size_t bounded_of(struct prof_mpi_clocks clocks)
{
	return clocks.bounded;
}

START_TEST(messages_in_both_directions_bound_the_difference)
{
	AUTO_MPI_CLOCKS struct prof_mpi_clocks clocks = {0};

	deliver_both();
	AUTO_EXPERIMENT struct prof_experiment *into = create(true);
	ck_assert_ok(prof_mpi_clocks_find(into, &clocks));
	ck_assert_uint_eq(clocks.bounded, 1);
	ck_assert_int_eq(clocks.differ, 60);
	ck_assert_int_eq(clocks.early, 0);
	ck_assert_int_eq(clocks.items.items[1].offset.offset, 45);
}
END_TEST

START_TEST(clocks_that_differ_are_moved_before_they_are_merged)
{
	AUTO_MPI_CLOCKS struct prof_mpi_clocks clocks = {0};
	int64_t realtime;

	deliver_both();
	AUTO_EXPERIMENT struct prof_experiment *into = create(true);
	ck_assert_ok(prof_mpi_clocks_find(into, &clocks));
	AUTO_EXPERIMENT struct prof_experiment *second = create_rank_on(1, "b", "l", 100);
	realtime = second->ranks.items[0].realtime;
	prof_mpi_clocks_correct(&clocks, second);
	ck_assert_int_eq(second->ranks.items[0].realtime, realtime - 45);
	ck_assert_int_eq(second->recording.clock_correction, 45);
	/* The first clock is right, and that of another host is not known. */
	AUTO_EXPERIMENT struct prof_experiment *first = create_rank_on(0, "a", "k", 100);
	AUTO_EXPERIMENT struct prof_experiment *third = create_rank_on(2, "c", "m", 100);
	prof_mpi_clocks_correct(&clocks, first);
	prof_mpi_clocks_correct(&clocks, third);
	ck_assert_int_eq(first->ranks.items[0].realtime, realtime);
	ck_assert_int_eq(third->ranks.items[0].realtime, realtime);
	ck_assert_int_eq(first->recording.clock_correction, 0);
	/* What has both cannot be moved. */
	prof_mpi_clocks_correct(&clocks, into);
	ck_assert_int_eq(into->recording.clock_correction, 0);
}
END_TEST

/* A message of a handshake: the call that has recorded it has ended much later. */
static void shake(int64_t from, int64_t to, int64_t sent, int64_t received)
{
	struct prof_mpi_operation *send = operate_message(PROF_OPERATION_SEND, from, to, sent, 900);
	send->comm = PROF_OPERATION_HANDSHAKE;
	send->posted = sent;
	struct prof_mpi_operation *receive =
		operate_message(PROF_OPERATION_RECEIVE, to, from, sent, 900);
	receive->comm = PROF_OPERATION_HANDSHAKE;
	receive->posted = received;
}

START_TEST(messages_of_a_handshake_have_arrived_when_they_are_posted)
{
	init();
	shake(0, 1, 100, 160);
	shake(1, 0, 170, 130);
	ck_assert_uint_eq(bounded_of(find(true, 50)), 1);
}
END_TEST

START_TEST(messages_in_one_direction_do_not)
{
	init();
	deliver(0, 1, 100, 160);
	ck_assert_uint_eq(bounded_of(find(true, 0)), 0);
}
END_TEST

START_TEST(a_message_that_arrives_before_it_was_sent_moves_a_clock_alone)
{
	init();
	deliver(0, 1, 100, 60);
	ck_assert_uint_eq(bounded_of(find(true, -40)), 0);
}
END_TEST

START_TEST(a_barrier_does_so_alone)
{
	init();
	operate_all(PROF_OPERATION_BARRIER, 0, -1, 2, 100, 130);
	operate_all(PROF_OPERATION_BARRIER, 1, -1, 2, 60, 85);
	const struct prof_mpi_clocks clocks = find(true, -43);
	ck_assert_uint_eq(clocks.bounded, 1);
	ck_assert_int_eq(clocks.differ, 71);
}
END_TEST

START_TEST(clocks_that_contradict_themselves_have_run_at_different_speeds)
{
	init();
	deliver(0, 1, 100, 110);
	deliver(1, 0, 350, 320);
	const struct prof_mpi_clocks clocks = find(true, 20);
	ck_assert_int_ge(clocks.early, 10);
	ck_assert_int_le(clocks.early, 11);
}
END_TEST

START_TEST(one_clock_is_not_compared)
{
	init();
	deliver(0, 1, 100, 160);
	deliver(1, 0, 350, 360);
	ck_assert_uint_eq(bounded_of(find(false, 0)), 0);
}
END_TEST

RUN_TESTS("mpi_clocks", messages_in_both_directions_bound_the_difference,
	clocks_that_differ_are_moved_before_they_are_merged,
	messages_of_a_handshake_have_arrived_when_they_are_posted, messages_in_one_direction_do_not,
	a_message_that_arrives_before_it_was_sent_moves_a_clock_alone, a_barrier_does_so_alone,
	clocks_that_contradict_themselves_have_run_at_different_speeds, one_clock_is_not_compared)
