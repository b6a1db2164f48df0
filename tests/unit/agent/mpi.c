/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of MPI: how often, with whom, and how many bytes. */
#include "agent_mpi.h"

#include <pthread.h>

struct expected {
	unsigned what;
	int peer;
	bool other;
	uint64_t sends, sent, receives, received;
};

/* The records since the last look are the COUNT ones EXPECTED. */
static void expect(const struct expected *expected, unsigned count)
{
	static unsigned seen;
	unsigned found = read_records(events, PROF_RING_MPI);

	ck_assert_uint_eq(found, seen + count);
	for (unsigned i = 0; i < count; i++) {
		const struct event *event = &events[seen + i];
		ck_assert_int_eq(event->kind, PROF_RING_MPI);
		ck_assert_uint_eq(event->what, expected[i].what);
		ck_assert_uint_eq(event->count, 8);
		ck_assert_uint_ge(event->values[0], event->values[1]);
		ck_assert_int_eq(prof_ring_mpi_peer(event->values[2]), expected[i].peer);
		ck_assert_int_eq(prof_ring_mpi_rank(event->values[2]),
			expected[i].sends || expected[i].receives ? RANK : -1);
		ck_assert_uint_eq(event->values[3], expected[i].other);
		ck_assert_uint_eq(event->values[4], expected[i].sends);
		ck_assert_uint_eq(event->values[5], expected[i].sent);
		ck_assert_uint_eq(event->values[6], expected[i].receives);
		ck_assert_uint_eq(event->values[7], expected[i].received);
	}
	seen = found;
}

#define EXPECT(...)                                          \
	do {                                                 \
		const struct expected all[] = {__VA_ARGS__}; \
		expect(all, sizeof all / sizeof *all);       \
	} while (0)
#define OTHER(name)                                        \
	{                                                  \
		PROF_HOOK_MPI_##name, -1, true, 0, 0, 0, 0 \
	}
#define BEGINS(name)                                        \
	{                                                   \
		PROF_HOOK_MPI_##name, -1, false, 0, 0, 0, 0 \
	}
#define SENDS(name, peer, bytes)                                  \
	{                                                         \
		PROF_HOOK_MPI_##name, peer, false, 1, bytes, 0, 0 \
	}
#define RECEIVES(name, peer, bytes)                               \
	{                                                         \
		PROF_HOOK_MPI_##name, peer, false, 0, 0, 1, bytes \
	}

static void send_to(int peer, prof_mpi_word comm)
{
	/* Registers may hold anything above an int. */
	prof_agent_MPI_Send(0, 0x100000003, 4, 0xabc00000000 | (uint32_t)peer, 0, comm);
}

static int irecv(prof_mpi_word comm)
{
	int handle = 0;

	prof_agent_MPI_Irecv(0, 10, 4, 1, 0, comm, (prof_mpi_word)&handle);
	return handle;
}

static void wait_for(int handle)
{
	prof_agent_MPI_Wait((prof_mpi_word)&handle, IGNORED);
}

/* As many as there are in the Sun Studio collector, and fourteen more, each once. */
START_TEST(all_functions_are_in_the_table)
{
#define NAME(name, words, class) #name,
	static const char *const names[] = {PROF_MPI_FUNCTIONS(NAME)};

	enum { COUNT = sizeof names / sizeof *names };

	ck_assert_int_eq(COUNT, 187 + 14);
	for (int i = 1; i < COUNT; i++)
		ck_assert_str_lt(names[i - 1], names[i]);
}
END_TEST

START_TEST(sends_have_their_bytes_and_peers)
{
	begin_mpi(0, true);
	send_to(1, WORLD);
	send_to(2, COMM);
	send_to(2, COMM + 1);
	send_to(10, COMM);
	send_to(NOBODY, WORLD);
	result = 1;
	send_to(1, WORLD);
	EXPECT(SENDS(Send, 1, 12), SENDS(Send, 102, 12), SENDS(Send, 202, 12), SENDS(Send, -1, 12),
		OTHER(Send), OTHER(Send));
	ck_assert_int_eq(errno, 42);
}
END_TEST

/* Another thread may free a type as soon as it has received the message. */
START_TEST(the_size_of_a_type_that_can_be_freed_is_asked_for_before_the_call)
{
	static const struct {
		prof_mpi_word type, comm;
		unsigned before;
	} cases[] = {
		{BYTE, WORLD, 0}, {4, WORLD, 1}, {BYTE, COMM, 1}, {BYTE + 0x1000000, WORLD, 1}};

	begin_mpi(0, true);
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		sizes = 0;
		prof_agent_MPI_Send(0, 1, cases[i].type, 1, 0, cases[i].comm);
		ck_assert_uint_eq(sizes, 1);
		ck_assert_uint_eq(sizes_before, cases[i].before);
	}
	EXPECT(SENDS(Send, 1, BYTE), SENDS(Send, 1, 4), SENDS(Send, 101, BYTE),
		SENDS(Send, 1, BYTE + 0x1000000));
}
END_TEST

START_TEST(calls_come_one_at_a_time_unless_the_library_permits_more)
{
	begin_mpi(0, true);
	for (provided = 0; provided < 4; provided++)
		ck_assert_int_eq(prof_mpi_is_serial(), provided < 3);
}
END_TEST

START_TEST(receives_count_when_they_are_complete)
{
	begin_mpi(0, true);
	from = 5;
	received = 8;
	prof_agent_MPI_Recv(0, 100, 4, 1, 0, WORLD, IGNORED);
	int first = irecv(COMM);
	int second = irecv(WORLD);
	EXPECT(RECEIVES(Recv, 5, 8), BEGINS(Irecv), BEGINS(Irecv));
	wait_for(first);
	wait_for(first);
	prof_agent_MPI_Test((prof_mpi_word)&second, (prof_mpi_word)&place, IGNORED);
	flag = 1;
	prof_agent_MPI_Test((prof_mpi_word)&second, (prof_mpi_word)&place, IGNORED);
	EXPECT(RECEIVES(Wait, 105, 8), OTHER(Wait), OTHER(Test), RECEIVES(Test, 5, 8));
	first = irecv(WORLD);
	cancels = true;
	wait_for(first);
	cancels = false;
	from = NOBODY;
	prof_agent_MPI_Recv(0, 100, 4, 1, 0, WORLD, IGNORED);
	EXPECT(BEGINS(Irecv), OTHER(Wait), OTHER(Recv));
}
END_TEST

START_TEST(the_library_is_asked_for_bytes_that_are_not_where_others_have_them)
{
	from = 5;
	received = 8;
	for (int i = 0; i < 2; i++) {
		elsewhere = i;
		begin_mpi(0, true);
		prof_agent_MPI_Recv(0, 100, 4, 1, 0, WORLD, IGNORED);
		ck_assert_uint_eq(read_records(events, PROF_RING_MPI), 1);
		ck_assert_uint_eq(events[0].values[7], 8);
		ck_assert_uint_eq(asked, (unsigned)i);
	}
}
END_TEST

START_TEST(persistent_requests_count_each_time_they_are_started)
{
	int sends = 0, receives = 0;

	begin_mpi(0, true);
	from = 5;
	received = 8;
	prof_agent_MPI_Send_init(0, 2, 4, 1, 0, WORLD, (prof_mpi_word)&sends);
	prof_agent_MPI_Recv_init(0, 2, 4, 1, 0, WORLD, (prof_mpi_word)&receives);
	wait_for(receives);
	EXPECT(OTHER(Send_init), OTHER(Recv_init), OTHER(Wait));
	for (int i = 0; i < 2; i++) {
		prof_agent_MPI_Start((prof_mpi_word)&sends);
		prof_agent_MPI_Start((prof_mpi_word)&receives);
		wait_for(sends);
		wait_for(receives);
		EXPECT(SENDS(Start, 1, 8), BEGINS(Start), OTHER(Wait), RECEIVES(Wait, 5, 8));
	}
}
END_TEST

START_TEST(one_of_several_is_complete)
{
	int requests[2];

	begin_mpi(0, true);
	from = 5;
	received = 8;
	requests[0] = irecv(WORLD);
	requests[1] = irecv(WORLD);
	place = 1;
	int index, again = requests[1];
	prof_agent_MPI_Waitany(2, (prof_mpi_word)requests, (prof_mpi_word)&index, IGNORED);
	ck_assert_int_eq(index, 1);
	place = UNDEFINED;
	prof_agent_MPI_Waitany(2, (prof_mpi_word)requests, (prof_mpi_word)&index, IGNORED);
	wait_for(again);
	wait_for(requests[0]);
	EXPECT(BEGINS(Irecv), BEGINS(Irecv), RECEIVES(Waitany, 5, 8), OTHER(Waitany), OTHER(Wait),
		RECEIVES(Wait, 5, 8));
}
END_TEST

/* More than fit on the stack, and from more than are added up together. */
START_TEST(each_peer_of_many_requests_has_a_record)
{
	enum { MANY = 40 };
	int requests[MANY];
	struct expected all[2 * MANY];

	begin_mpi(0, true);
	from = 0;
	received = 4;
	for (unsigned i = 0; i < MANY; i++) {
		requests[i] = irecv(WORLD);
		all[i] = (struct expected)BEGINS(Irecv);
		all[MANY + i] = (struct expected)RECEIVES(Waitall, (int)i, 4);
	}
	prof_agent_MPI_Waitall(MANY, (prof_mpi_word)requests, IGNORED);
	expect(all, 2 * MANY);
	/* The first has the time. */
	for (unsigned i = MANY + 1; i < 2 * MANY; i++)
		ck_assert_uint_eq(events[i].values[0], events[i].values[1]);
}
END_TEST

START_TEST(calls_inside_of_calls_are_part_of_them)
{
	begin_mpi(0, true);
	nests = true;
	send_to(1, WORLD);
	EXPECT(SENDS(Send, 1, 12));
	/* So is what the library does by the other name; by itself that is a call. */
	prof_agent_PMPI_Send(0, 1, 4, 1, 0, WORLD);
	EXPECT(SENDS(Send, 1, 4));
}
END_TEST

START_TEST(a_call_that_was_left_by_a_jump_is_over)
{
	begin_mpi(0, true);
	jumps = true;
	if (!setjmp(away))
		send_to(1, WORLD);
	jumps = false;
	send_to(2, WORLD);
	EXPECT(SENDS(Send, 2, 12));
}
END_TEST

START_TEST(a_call_that_does_not_return_is_told_before)
{
	begin_mpi(0, true);
	prof_agent_MPI_Abort(WORLD, 1);
	ck_assert_uint_ge(read_records(events, PROF_RING_MPI), 1);
	ck_assert_uint_eq(events[0].what, PROF_HOOK_MPI_Abort);
}
END_TEST

START_TEST(records_behind_the_limit_are_dropped)
{
	enum { CALL = 9 * 8, OPERATION = 8 * 8 };

	begin_mpi(10 * (CALL + OPERATION), false);
	for (int i = 0; i < 50; i++)
		send_to(1, WORLD);
	ck_assert_uint_eq(read_records(events, PROF_RING_MPI), 10);
	ck_assert_uint_eq(ring->dropped, 40);
	ck_assert_uint_eq(events[9].node, PROF_NODE_EMPTY);
}
END_TEST

START_TEST(a_message_has_the_cpu_on_which_its_call_has_ended)
{
	cpu_set_t all;

	ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
	for (int last = 0; last < 2; last++) {
		unsigned cpu = move_mpi_to(&all, last);
		begin_mpi(0, true);
		send_to(1, WORLD);
		ck_assert_uint_eq(read_records(events, PROF_RING_MPI), 1);
		ck_assert_uint_eq(events[0].cpu, cpu);
	}
}
END_TEST

START_TEST(of_an_unknown_library_calls_are_known_alone)
{
	version = "Another MPI 1.0";
	begin_mpi(0, true);
	send_to(1, WORLD);
	EXPECT(OTHER(Send));
}
END_TEST

/* As if gdbprof had found the library after the agent: that has no address of the start then. */
START_TEST(a_library_that_is_loaded_later_is_known_from_its_first_call)
{
	const char *first = version;
	struct prof_hook *init = &prof_agent_hooks[PROF_HOOK_MPI_Init];

	version = "Another MPI 1.0";
	begin_mpi(0, true);
	version = first;
	init->real = (void *)PMPI_Get_library_version;
	send_to(1, WORLD);
	EXPECT(SENDS(Send, 1, 12));
	ck_assert_ptr_eq(prof_mpi_library.init, init->real);
}
END_TEST

START_TEST(ranks_are_asked_for_again_when_communicators_may_be_others)
{
	prof_mpi_word comm = COMM;

	begin_mpi(0, true);
	send_to(1, COMM);
	shift = 200;
	send_to(1, COMM);
	EXPECT(SENDS(Send, 101, 12), SENDS(Send, 101, 12));
	prof_agent_MPI_Comm_free((prof_mpi_word)&comm);
	send_to(1, COMM);
	EXPECT(OTHER(Comm_free), SENDS(Send, 201, 12));
	shift = 300;
	begin_mpi(0, true);
	send_to(1, COMM);
	ck_assert_uint_eq(read_records(events, PROF_RING_MPI), 1);
	ck_assert_int_eq(prof_ring_mpi_peer(events[0].values[2]), 301);
}
END_TEST

START_TEST(the_next_session_knows_no_request_of_the_last)
{
	begin_mpi(0, true);
	int handle = irecv(WORLD);
	begin_mpi(0, true);
	wait_for(handle);
	ck_assert_uint_eq(read_records(events, PROF_RING_MPI), 1);
	ck_assert_uint_eq(events[0].values[3], 1);
}
END_TEST

RUN_TESTS("agent mpi", all_functions_are_in_the_table, sends_have_their_bytes_and_peers,
	the_size_of_a_type_that_can_be_freed_is_asked_for_before_the_call,
	calls_come_one_at_a_time_unless_the_library_permits_more,
	receives_count_when_they_are_complete,
	the_library_is_asked_for_bytes_that_are_not_where_others_have_them,
	persistent_requests_count_each_time_they_are_started, one_of_several_is_complete,
	each_peer_of_many_requests_has_a_record, calls_inside_of_calls_are_part_of_them,
	a_call_that_was_left_by_a_jump_is_over, a_call_that_does_not_return_is_told_before,
	records_behind_the_limit_are_dropped, a_message_has_the_cpu_on_which_its_call_has_ended,
	of_an_unknown_library_calls_are_known_alone,
	a_library_that_is_loaded_later_is_known_from_its_first_call,
	ranks_are_asked_for_again_when_communicators_may_be_others,
	the_next_session_knows_no_request_of_the_last)
