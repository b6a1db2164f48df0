/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/operations.h"

#include "base/map.h"
#include "suite.h"
#include "tracing/ring.h"
#include "tracing/stream.h"

/* Adds an operation of THREAD that was posted at POSTED. */
static void add(struct prof_operations *operations, uint32_t thread, uint64_t posted)
{
	const struct prof_stream stream = {.number = thread,
		.next = {
			.kind = PROF_RING_OPERATION, .time = 9, .values = {8, posted}, .count = 6}};

	ck_assert(prof_operations_add(operations, &stream));
}

START_TEST(operations_are_of_the_call_that_follows)
{
	PROF_AUTO(prof_operations_deinit) struct prof_operations operations = {0};

	add(&operations, 1, 10);
	add(&operations, 2, 20);
	add(&operations, 1, 30);
	ck_assert_uint_eq(operations.linked, 0);
	prof_operations_link(&operations, 1, 9, 5);
	ck_assert_uint_eq(operations.linked, 2);
	prof_operations_link(&operations, 2, 9, 6);
	ck_assert_uint_eq(operations.linked, 3);
	ck_assert_uint_eq(operations.list.items[2].total, 6);
	ck_assert_uint_eq(operations.list.items[1].total, 5);
	ck_assert_uint_eq(operations.list.items[1].posted, 30);
	ck_assert_uint_eq(operations.list.items[1].begin, 8);
	ck_assert_uint_eq(operations.list.items[1].end, 9);
}
END_TEST

START_TEST(a_message_is_an_operation_and_a_call)
{
	for (int receives = 0; receives < 2; receives++) {
		PROF_AUTO(prof_operations_deinit) struct prof_operations operations = {0};
		struct prof_stream_record call;
		uint64_t peer = prof_ring_operation_peer(5, 77);
		uint64_t word = prof_ring_operation_word(
			receives ? PROF_RING_OPERATION_RECEIVE : PROF_RING_OPERATION_SEND, 2, 40);
		struct prof_stream stream = {.number = 1,
			.next = {.kind = PROF_RING_MESSAGE,
				.what = 3,
				.cpu = 4,
				.node = 9,
				.time = 20,
				.count = 4,
				.values = {10, 800, peer, word}}};
		prof_operations_split(&stream.next, &call);
		ck_assert_int_eq(stream.next.kind, PROF_RING_OPERATION);
		ck_assert(prof_operations_add(&operations, &stream));
		const struct prof_operation_record *added = &operations.list.items[0];
		ck_assert_uint_eq(added->begin, 10);
		ck_assert_uint_eq(added->end, 20);
		ck_assert_uint_eq(added->posted, 10);
		ck_assert_uint_eq(added->comm, PROF_RING_WORLD);
		ck_assert_uint_eq(added->bytes, 800);
		ck_assert_uint_eq(added->peer, peer);
		ck_assert_uint_eq(added->word, word);
		const uint64_t values[] = {10, prof_ring_mpi_peers(2, 5), 0, !receives,
			receives ? 0 : 800, (uint64_t)receives, receives ? 800 : 0};
		ck_assert_int_eq(call.kind, PROF_RING_MPI);
		ck_assert_uint_eq(call.what, 3);
		ck_assert_uint_eq(call.cpu, 4);
		ck_assert_uint_eq(call.node, 9);
		ck_assert_uint_eq(call.time, 20);
		ck_assert_uint_eq(call.count, 7);
		ck_assert_mem_eq(call.values, values, sizeof values);
	}
}
END_TEST

START_TEST(those_of_a_call_without_a_total_are_dropped)
{
	PROF_AUTO(prof_operations_deinit) struct prof_operations operations = {0};

	add(&operations, 1, 10);
	add(&operations, 2, 20);
	prof_operations_link(&operations, 1, 9, PROF_NONE);
	ck_assert_uint_eq(operations.list.count, 1);
	ck_assert_uint_eq(operations.list.items[0].thread, 2);
}
END_TEST

START_TEST(what_was_reported_is_removed)
{
	PROF_AUTO(prof_operations_deinit) struct prof_operations operations = {0};

	add(&operations, 1, 10);
	prof_operations_link(&operations, 1, 9, 5);
	add(&operations, 1, 20);
	prof_operations_remove(&operations, 1);
	ck_assert_uint_eq(operations.list.count, 1);
	ck_assert_uint_eq(operations.linked, 0);
	ck_assert_uint_eq(operations.list.items[0].posted, 20);
}
END_TEST

/* The record of the call of thread 2 was lost, so that its operation waits for ever. */
START_TEST(one_that_waits_for_its_call_does_not_hold_up_others)
{
	PROF_AUTO(prof_operations_deinit) struct prof_operations operations = {0};

	add(&operations, 2, 10);
	add(&operations, 1, 20);
	add(&operations, 1, 30);
	prof_operations_link(&operations, 1, 9, 5);
	ck_assert_uint_eq(operations.linked, 2);
	ck_assert_uint_eq(operations.list.items[0].posted, 20);
	ck_assert_uint_eq(operations.list.items[1].posted, 30);
	ck_assert_uint_eq(operations.list.items[2].posted, 10);
	prof_operations_end(&operations, 2);
	ck_assert_uint_eq(operations.list.count, 2);
	prof_operations_end(&operations, 1);
	ck_assert_uint_eq(operations.list.count, 2);
}
END_TEST

START_TEST(those_of_a_call_that_was_lost_are_not_of_the_next_one)
{
	PROF_AUTO(prof_operations_deinit) struct prof_operations operations = {0};

	add(&operations, 1, 10);
	prof_operations_link(&operations, 1, 12, 5);
	ck_assert_uint_eq(operations.list.count, 0);
	ck_assert_uint_eq(operations.linked, 0);
}
END_TEST

START_TEST(no_more_wait_than_a_recording_can_have)
{
	PROF_AUTO(prof_operations_deinit) struct prof_operations operations = {0};
	const struct prof_stream stream = {.next = {.kind = PROF_RING_OPERATION, .count = 6}};

	for (int i = 0; i < PROF_OPERATIONS_WAITING; i++)
		ck_assert(prof_operations_add(&operations, &stream));
	ck_assert(!prof_operations_add(&operations, &stream));
	ck_assert_uint_eq(operations.list.count, PROF_OPERATIONS_WAITING);
}
END_TEST

RUN_TESTS("operations", operations_are_of_the_call_that_follows,
	a_message_is_an_operation_and_a_call, those_of_a_call_without_a_total_are_dropped,
	what_was_reported_is_removed, one_that_waits_for_its_call_does_not_hold_up_others,
	those_of_a_call_that_was_lost_are_not_of_the_next_one,
	no_more_wait_than_a_recording_can_have)
