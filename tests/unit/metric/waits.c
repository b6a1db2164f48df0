/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/waits.h"

#include "model/experiment.h"
#include "operations.h"
#include "suite.h"

/* The waits of all operations, in ns. */
static void find(struct prof_waits *waits)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	for (int64_t rank = 0; rank < OPERATIONS_RANKS; rank++) {
		if (next_numbers[rank])
			operate_finalize(rank);
	}
	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->operations.items = operations;
	experiment->operations.count = operation_count;
	ck_assert_ok(prof_waits_init(waits, experiment, NULL));
	experiment->operations.items = NULL;
}

static void expect(const struct prof_wait_sum *sum, enum prof_wait_cause cause, int64_t rank,
	int64_t other, int64_t count, int64_t time)
{
	ck_assert_int_eq(sum->cause, cause);
	ck_assert_int_eq(sum->rank, rank);
	ck_assert_int_eq(sum->other, other);
	ck_assert(sum->waits == prof_value_of(count));
	ck_assert(sum->time == prof_value_of(time));
}

static void init(int64_t ranks)
{
	for (int64_t rank = 0; rank < ranks; rank++)
		operate_init(rank);
}

static struct prof_mpi_operation *send_at(int64_t begin, int64_t end)
{
	return operate_message(PROF_OPERATION_SEND, 0, 1, begin, end);
}

static struct prof_mpi_operation *receive_at(int64_t begin, int64_t end)
{
	return operate_message(PROF_OPERATION_RECEIVE, 1, 0, begin, end);
}

START_TEST(a_receiver_waits_for_a_late_sender)
{
	AUTO_WAITS struct prof_waits waits = {0};

	init(2);
	send_at(40, 42);
	receive_at(10, 45);
	/* The receive was posted before, but the call that waits comes after the send. */
	send_at(50, 52);
	receive_at(60, 61)->posted = 46;
	find(&waits);
	ck_assert_uint_eq(waits.list.count, 1);
	expect(&waits.list.items[0], PROF_WAIT_LATE_SENDER, 1, 0, 1, 30);
	ck_assert_int_eq(waits.list.items[0].longest, 30);
}
END_TEST

START_TEST(a_sender_waits_for_a_late_receiver)
{
	AUTO_WAITS struct prof_waits waits = {0};

	init(2);
	send_at(10, 60);
	receive_at(40, 60);
	/* This one had returned before: the library had the message. */
	send_at(100, 110);
	receive_at(140, 150);
	/* And this one needs no receiver. */
	send_at(200, 260)->kind = PROF_OPERATION_BUFFERED;
	receive_at(240, 260);
	find(&waits);
	ck_assert_uint_eq(waits.list.count, 1);
	expect(&waits.list.items[0], PROF_WAIT_LATE_RECEIVER, 0, 1, 1, 30);
}
END_TEST

START_TEST(a_send_can_be_waited_for_by_another_call)
{
	AUTO_WAITS struct prof_waits waits = {0};

	init(2);
	uint32_t number = send_at(10, 11)->number;
	operate((struct prof_mpi_operation){
		.kind = PROF_OPERATION_SENT, .number = number, .peer = -1, .begin = 30, .end = 60});
	receive_at(50, 60);
	find(&waits);
	ck_assert_uint_eq(waits.list.count, 1);
	expect(&waits.list.items[0], PROF_WAIT_LATE_RECEIVER, 0, 1, 1, 20);
}
END_TEST

START_TEST(a_call_has_its_longest_wait_only)
{
	AUTO_WAITS struct prof_waits waits = {0};

	init(3);
	send_at(30, 31);
	operate_message(PROF_OPERATION_SEND, 2, 1, 50, 51);
	receive_at(10, 55)->posted = 5;
	operate_message(PROF_OPERATION_RECEIVE, 1, 2, 10, 55)->posted = 6;
	find(&waits);
	ck_assert_uint_eq(waits.list.count, 1);
	expect(&waits.list.items[0], PROF_WAIT_LATE_SENDER, 1, 2, 1, 40);
	ck_assert(waits.total.time == prof_value_of(40));
}
END_TEST

START_TEST(ranks_wait_for_the_last_one)
{
	AUTO_WAITS struct prof_waits waits = {0};

	init(3);
	for (int64_t rank = 0; rank < 3; rank++) {
		operate_all(PROF_OPERATION_BARRIER, rank, -1, 3, 10 * rank, 30);
		operate_all(PROF_OPERATION_ALL, rank, -1, 3, 100 + rank, 110);
	}
	find(&waits);
	ck_assert_uint_eq(waits.list.count, 4);
	expect(&waits.list.items[0], PROF_WAIT_BARRIER, 0, 2, 1, 20);
	expect(&waits.list.items[1], PROF_WAIT_BARRIER, 1, 2, 1, 10);
	expect(&waits.list.items[2], PROF_WAIT_ALL, 0, 2, 1, 2);
	expect(&waits.list.items[3], PROF_WAIT_ALL, 1, 2, 1, 1);
}
END_TEST

START_TEST(a_root_waits_and_is_waited_for)
{
	AUTO_WAITS struct prof_waits waits = {0};

	init(3);
	for (int64_t rank = 0; rank < 3; rank++) {
		operate_all(PROF_OPERATION_FROM_ROOT, rank, 2, 3, 10 * rank, 30);
		operate_all(PROF_OPERATION_TO_ROOT, rank, 0, 3, 100 + 5 * rank, 200);
	}
	find(&waits);
	ck_assert_uint_eq(waits.list.count, 3);
	expect(&waits.list.items[0], PROF_WAIT_LATE_ROOT, 0, 2, 1, 20);
	expect(&waits.list.items[1], PROF_WAIT_LATE_ROOT, 1, 2, 1, 10);
	expect(&waits.list.items[2], PROF_WAIT_EARLY_ROOT, 0, 1, 1, 5);
}
END_TEST

START_TEST(no_wait_is_longer_than_its_call)
{
	AUTO_WAITS struct prof_waits waits = {0};

	/* As of clocks that differ. */
	init(2);
	send_at(90, 95);
	receive_at(10, 45);
	find(&waits);
	expect(&waits.list.items[0], PROF_WAIT_LATE_SENDER, 1, 0, 1, 35);
}
END_TEST

RUN_TESTS("waits", a_receiver_waits_for_a_late_sender, a_sender_waits_for_a_late_receiver,
	a_send_can_be_waited_for_by_another_call, a_call_has_its_longest_wait_only,
	ranks_wait_for_the_last_one, a_root_waits_and_is_waited_for,
	no_wait_is_longer_than_its_call)
