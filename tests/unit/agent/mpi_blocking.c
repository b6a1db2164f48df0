/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocking sends and receives that are recorded at once, by one record. */
#include "agent_mpi.h"

static unsigned seen;

static void begin_blocking(uint64_t limit, bool stacks)
{
	begin_mpi(limit, stacks);
	seen = 0;
	from = 5;
	received = 8;
	prof_agent_MPI_Init(0, 0);
	/* What is asked of the library is known behind the first call. */
	prof_agent_MPI_Send(0, 1, BYTE, 1, 0, WORLD);
	seen = read_own(events);
}

static void send_to(int peer)
{
	/* Registers may hold anything above an int. */
	prof_agent_MPI_Send(0, 0x100000003, 0xabc00000000 | BYTE, 0xabc00000000 | (uint32_t)peer,
		0x900000009, 0xabc00000000 | WORLD);
}

static void receive(void)
{
	prof_agent_MPI_Recv(0, 100, 4, 1, 0, WORLD, IGNORED);
}

/* The next record, which is of KIND. */
static const struct event *next(enum prof_ring_kind kind)
{
	ck_assert_uint_gt(read_own(events), seen);
	ck_assert_int_eq(events[seen].kind, kind);
	return &events[seen++];
}

static void expect_none(void)
{
	ck_assert_uint_eq(read_own(events), seen);
}

static void expect_message(unsigned what, enum prof_ring_operation kind, uint32_t number, int peer,
	int tag, uint64_t bytes)
{
	const struct event *event = next(PROF_RING_MESSAGE);

	ck_assert_uint_eq(event->what, what);
	ck_assert_uint_eq(event->count, 5);
	ck_assert_uint_ge(event->values[0], event->values[1]);
	ck_assert_uint_gt(event->values[1], 0);
	ck_assert_uint_eq(event->values[2], bytes);
	ck_assert_uint_eq(event->values[3], prof_ring_operation_peer(peer, tag));
	ck_assert_uint_eq(event->values[4], prof_ring_operation_word(kind, RANK, number));
}

/* A call without a message has no operation. */
static void expect_other(unsigned what)
{
	const struct event *event = next(PROF_RING_MPI);

	ck_assert_uint_eq(event->what, what);
	ck_assert_uint_eq(event->values[3], 1);
}

START_TEST(a_message_is_one_record)
{
	for (provided = 2; provided < 4; provided++) {
		begin_blocking(0, false);
		send_to(1);
		receive();
		prof_agent_PMPI_Send(0, 0, BYTE, 0, 0, WORLD);
		prof_agent_MPI_Bsend(0, 2, BYTE, 4, 1, WORLD);
		expect_message(
			PROF_HOOK_MPI_Send, PROF_RING_OPERATION_SEND, 3, 1, 9, 3 * (uint64_t)BYTE);
		expect_message(PROF_HOOK_MPI_Recv, PROF_RING_OPERATION_RECEIVE, 4, 5, TAG, 8);
		expect_message(PROF_HOOK_MPI_Send, PROF_RING_OPERATION_SEND, 5, 0, 0, 0);
		expect_message(PROF_HOOK_MPI_Bsend, PROF_RING_OPERATION_BUFFERED, 6, 4, 1,
			2 * (uint64_t)BYTE);
		expect_none();
	}
}
END_TEST

START_TEST(the_status_of_the_program_is_read)
{
	struct status status;

	begin_blocking(0, false);
	prof_agent_MPI_Recv(0, 100, 4, 1, 0, WORLD, (prof_mpi_word)&status);
	expect_message(PROF_HOOK_MPI_Recv, PROF_RING_OPERATION_RECEIVE, 3, 5, TAG, 8);
	ck_assert_int_eq(status.source, 5);
	ck_assert_int_eq(status.low, 8);
}
END_TEST

START_TEST(a_call_without_a_message_is_recorded_as_ever)
{
	begin_blocking(0, false);
	send_to(NOBODY);
	expect_other(PROF_HOOK_MPI_Send);
	from = NOBODY;
	receive();
	expect_other(PROF_HOOK_MPI_Recv);
	from = 5;
	cancels = true;
	receive();
	cancels = false;
	expect_other(PROF_HOOK_MPI_Recv);
	result = 1;
	send_to(1);
	ck_assert_int_eq(errno, 42);
	receive();
	result = 0;
	expect_other(PROF_HOOK_MPI_Send);
	expect_other(PROF_HOOK_MPI_Recv);
	/* None has a number. */
	receive();
	expect_message(PROF_HOOK_MPI_Recv, PROF_RING_OPERATION_RECEIVE, 3, 5, TAG, 8);
}
END_TEST

START_TEST(the_size_of_a_type_is_asked_for_once)
{
	begin_blocking(0, false);
	sizes = 0;
	for (int i = 0; i < 3; i++) {
		prof_agent_MPI_Send(0, 1, BYTE, 1, 0, WORLD);
		prof_agent_MPI_Send(0, 1, BYTE + 1, 1, 0, WORLD);
	}
	ck_assert_uint_eq(sizes, 2);
	/* Another library may have another type there. */
	prof_agent_hooks[PROF_HOOK_MPI_Init].real = (void *)PMPI_Get_library_version;
	prof_agent_MPI_Send(0, 1, BYTE, 1, 0, WORLD);
	prof_agent_MPI_Send(0, 1, BYTE, 1, 0, WORLD);
	ck_assert_uint_eq(sizes, 4);
}
END_TEST

START_TEST(what_another_thread_may_free_is_recorded_as_ever)
{
	begin_blocking(0, false);
	prof_agent_MPI_Send(0, 1, 4, 1, 0, WORLD);
	prof_agent_MPI_Send(0, 1, BYTE, 1, 0, COMM);
	prof_agent_MPI_Recv(0, 100, 4, 1, 0, COMM, IGNORED);
	for (int i = 0; i < 3; i++) {
		next(PROF_RING_OPERATION);
		next(PROF_RING_MPI);
	}
	expect_none();
}
END_TEST

START_TEST(statuses_that_only_the_library_reads_are_left_to_it)
{
	elsewhere = true;
	begin_blocking(0, false);
	receive();
	next(PROF_RING_OPERATION);
	ck_assert_uint_eq(next(PROF_RING_MPI)->values[7], 8);
	expect_none();
}
END_TEST

START_TEST(calls_inside_of_calls_are_part_of_them)
{
	begin_blocking(0, false);
	nests = true;
	send_to(1);
	expect_message(PROF_HOOK_MPI_Send, PROF_RING_OPERATION_SEND, 3, 1, 9, 3 * (uint64_t)BYTE);
	expect_none();
}
END_TEST

START_TEST(a_call_that_was_left_by_a_jump_is_over)
{
	begin_blocking(0, false);
	jumps = true;
	if (!setjmp(away))
		send_to(1);
	jumps = false;
	send_to(2);
	expect_message(PROF_HOOK_MPI_Send, PROF_RING_OPERATION_SEND, 3, 2, 9, 3 * (uint64_t)BYTE);
	expect_none();
}
END_TEST

START_TEST(records_behind_the_limit_are_dropped)
{
	enum { INIT = 8 * 8 + 9 * 8, FIRST = 8 * 8 + 9 * 8, MESSAGE = 6 * 8 };

	begin_blocking(INIT + FIRST + 3 * MESSAGE, false);
	for (int i = 0; i < 10; i++)
		send_to(1);
	ck_assert_uint_eq(read_own(events), seen + 3);
	ck_assert_uint_eq(ring->mpi_bytes, INIT + FIRST + 10 * MESSAGE);
	ck_assert_uint_eq(ring->dropped, 7);
}
END_TEST

START_TEST(a_pause_leaves_a_gap_in_the_numbers)
{
	begin_blocking(0, false);
	atomic_fetch_add(&ring->pauses, 1);
	receive();
	expect_message(PROF_HOOK_MPI_Recv, PROF_RING_OPERATION_RECEIVE, 4, 5, TAG, 8);
}
END_TEST

START_TEST(what_there_is_no_room_for_is_lost)
{
	enum { MOST = 3 * PROF_RING_CHUNK / (6 * 8) };

	begin((struct prof_agent){.families = PROF_FAMILY_MPI, .chunks = 2});
	prof_agent_hooks[PROF_HOOK_MPI_Init].real = (void *)play_other;
	prof_agent_hooks[PROF_HOOK_MPI_Recv].real = (void *)play_recv;
	from = 5;
	for (int i = 0; i < MOST; i++)
		receive();
	unsigned found = 0;
	struct reader reader = {0};
	struct prof_ring_thread *slot = find_slot((uint32_t)gettid());
	for (struct event event; next_event(&reader, slot, false, &event);)
		found += event.kind != PROF_RING_OPERATION;
	ck_assert_uint_lt(found, MOST);
	ck_assert_uint_eq(found + slot->lost, MOST);
}
END_TEST

/* Both sends, and both receives, are made from one place. */
static void __attribute__((noinline)) play_both(void)
{
	for (int i = 0; i < 2; i++) {
		send_to(1);
		receive();
	}
}

START_TEST(messages_have_stacks)
{
	begin_blocking(0, true);
	play_both();
	/* No row is known: each stack is recorded as it is. */
	for (int i = 0; i < 4; i++) {
		next(PROF_RING_OPERATION);
		const struct event *event = next(PROF_RING_MPI);
		ck_assert_uint_eq(event->node, PROF_NODE_NONE);
		ck_assert_uint_gt(event->length, 0);
		if (i < 2)
			add_row(event->pc - 1, (struct prof_row_rule){.kind = PROF_ROW_OUTERMOST});
	}
	play_both();
	uint32_t node[4];
	for (int i = 0; i < 4; i++)
		node[i] = next(PROF_RING_MESSAGE)->node;
	expect_none();
	ck_assert_uint_ne(node[0], PROF_NODE_NONE);
	ck_assert_uint_ne(node[0], node[1]);
	ck_assert_uint_eq(node[0], node[2]);
	ck_assert_uint_eq(node[1], node[3]);
}
END_TEST

START_TEST(a_message_has_the_cpu_on_which_its_call_has_ended)
{
	cpu_set_t all;

	ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
	for (int last = 0; last < 2; last++) {
		unsigned cpu = move_to(&all, last), known = move_mpi_to(&all, last);
		begin_blocking(0, false);
		send_to(1);
		receive();
		/* As with a C library that does not ask the kernel for the number. */
		prof_agent_process->session->sequences = 0;
		send_to(1);
		ck_assert_uint_eq(next(PROF_RING_MESSAGE)->cpu, known);
		ck_assert_uint_eq(next(PROF_RING_MESSAGE)->cpu, known);
		ck_assert_uint_eq(next(PROF_RING_MESSAGE)->cpu, cpu);
	}
}
END_TEST

START_TEST(nothing_is_recorded_while_a_session_pauses)
{
	begin_blocking(0, false);
	atomic_store(&ring->families, 0);
	send_to(1);
	receive();
	expect_none();
	atomic_store(&ring->families, PROF_FAMILY_MPI);
	receive();
	expect_message(PROF_HOOK_MPI_Recv, PROF_RING_OPERATION_RECEIVE, 3, 5, TAG, 8);
}
END_TEST

RUN_TESTS("agent mpi_blocking", a_message_is_one_record, the_status_of_the_program_is_read,
	a_call_without_a_message_is_recorded_as_ever, the_size_of_a_type_is_asked_for_once,
	what_another_thread_may_free_is_recorded_as_ever,
	statuses_that_only_the_library_reads_are_left_to_it, calls_inside_of_calls_are_part_of_them,
	a_call_that_was_left_by_a_jump_is_over, records_behind_the_limit_are_dropped,
	a_pause_leaves_a_gap_in_the_numbers, what_there_is_no_room_for_is_lost,
	messages_have_stacks, a_message_has_the_cpu_on_which_its_call_has_ended,
	nothing_is_recorded_while_a_session_pauses)
