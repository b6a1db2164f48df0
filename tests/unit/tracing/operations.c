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
	those_of_a_call_without_a_total_are_dropped, what_was_reported_is_removed,
	one_that_waits_for_its_call_does_not_hold_up_others,
	those_of_a_call_that_was_lost_are_not_of_the_next_one,
	no_more_wait_than_a_recording_can_have)
