/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of MPI: what has to be known of each to match it with those of other ranks. */
#include "agent_mpi.h"

struct expected {
	enum prof_ring_operation kind;
	uint32_t number;
	int peer, tag;
	uint64_t comm, bytes;
};

static unsigned seen;

/* The operations since the last look are the COUNT ones EXPECTED. */
static void expect(const struct expected *expected, unsigned count)
{
	unsigned found = read_records(events, PROF_RING_OPERATION);

	ck_assert_uint_eq(found, seen + count);
	for (unsigned i = 0; i < count; i++) {
		const struct event *event = &events[seen + i];
		ck_assert_uint_eq(event->count, 7);
		ck_assert_uint_ge(event->values[0], event->values[1]);
		ck_assert_uint_le(event->values[2], event->values[0]);
		ck_assert_uint_eq(event->values[3], expected[i].comm);
		ck_assert_uint_eq(event->values[4], expected[i].bytes);
		ck_assert_uint_eq(event->values[5],
			prof_ring_operation_peer(expected[i].peer, expected[i].tag));
		ck_assert_uint_eq(event->values[6],
			prof_ring_operation_word(expected[i].kind, RANK, expected[i].number));
	}
	seen = found;
}

#define EXPECT(...)                                          \
	do {                                                 \
		const struct expected all[] = {__VA_ARGS__}; \
		expect(all, sizeof all / sizeof *all);       \
	} while (0)

#define EXPECT_NONE() expect(NULL, 0)

static void init(void)
{
	begin_mpi(0, false);
	seen = 0;
	prof_agent_MPI_Init(0, 0);
	EXPECT({PROF_RING_OPERATION_INIT, 1, -1, SIZE, 0, 0});
}

START_TEST(numbers_are_the_same_however_many_threads_may_call)
{
	for (provided = 2; provided < 4; provided++) {
		init();
		prof_agent_MPI_Send(0, 3, 4, 1, 9, WORLD);
		prof_agent_MPI_Send(0, 3, 4, 1, 9, WORLD);
		EXPECT({PROF_RING_OPERATION_SEND, 2, 1, 9, 1, 12},
			{PROF_RING_OPERATION_SEND, 3, 1, 9, 1, 12});
	}
}
END_TEST

START_TEST(messages_have_their_tags_and_communicators)
{
	init();
	from = 5;
	received = 8;
	prof_agent_MPI_Send(0, 3, 4, 1, 9, WORLD);
	prof_agent_MPI_Bsend(0, 3, 4, 1, 9, WORLD);
	prof_agent_MPI_Send(0, 3, 4, 1, 9, COMM);
	prof_agent_MPI_Recv(0, 100, 4, 1, 0, WORLD, IGNORED);
	prof_agent_MPI_Send(0, 3, 4, (uint32_t)NOBODY, 9, WORLD);
	EXPECT({PROF_RING_OPERATION_SEND, 2, 1, 9, 1, 12},
		{PROF_RING_OPERATION_BUFFERED, 3, 1, 9, 1, 12},
		{PROF_RING_OPERATION_SEND, 4, 101, 9, 0, 12},
		{PROF_RING_OPERATION_RECEIVE, 5, 5, TAG, 1, 8});
}
END_TEST

START_TEST(what_another_call_completes_was_posted_before)
{
	int send = 0, receive = 0;

	init();
	from = 5;
	received = 8;
	prof_agent_MPI_Irecv(0, 10, 4, 1, 0, WORLD, (prof_mpi_word)&receive);
	prof_agent_MPI_Isend(0, 3, 4, 1, 9, WORLD, (prof_mpi_word)&send);
	EXPECT({PROF_RING_OPERATION_SEND, 2, 1, 9, 1, 12});
	uint64_t posted = events[1].values[2];
	ck_assert_uint_eq(posted, events[1].values[1]);
	prof_agent_MPI_Wait((prof_mpi_word)&send, IGNORED);
	prof_agent_MPI_Wait((prof_mpi_word)&receive, IGNORED);
	EXPECT({PROF_RING_OPERATION_SENT, 2, -1, 0, 0, 0},
		{PROF_RING_OPERATION_RECEIVE, 3, 5, TAG, 1, 8});
	ck_assert_uint_lt(events[3].values[2], posted);
	ck_assert_uint_gt(events[3].values[1], posted);
}
END_TEST

/* An Isendrecv of 12 bytes to TO, and from SOURCE, and the wait for it. */
static void exchange(int to, int source)
{
	int both = 0;

	prof_agent_MPI_Isendrecv(0, 3, 4, (uint32_t)to, 9, 0, 10, 4, (uint32_t)source, 7, WORLD,
		(prof_mpi_word)&both);
	prof_agent_MPI_Wait((prof_mpi_word)&both, IGNORED);
}

/* MPICH's statuses do not have what was received: it is what was asked for. */
START_TEST(one_request_sends_and_receives)
{
	init();
	from = NOBODY;
	exchange(1, 5);
	EXPECT({PROF_RING_OPERATION_SEND, 2, 1, 9, 1, 12},
		{PROF_RING_OPERATION_SENT, 2, -1, 0, 0, 0},
		{PROF_RING_OPERATION_RECEIVE, 3, 5, 7, 1, 40});
	ck_assert_uint_eq(events[3].values[2], events[1].values[2]);
	exchange(NOBODY, 5);
	EXPECT({PROF_RING_OPERATION_RECEIVE, 4, 5, 7, 1, 40});
	exchange(1, NOBODY);
	EXPECT({PROF_RING_OPERATION_SEND, 5, 1, 9, 1, 12},
		{PROF_RING_OPERATION_SENT, 5, -1, 0, 0, 0});
	exchange(NOBODY, NOBODY);
	EXPECT_NONE();
	/* From any rank: the library does not say which. */
	exchange(NOBODY, -2);
	EXPECT({PROF_RING_OPERATION_RECEIVE, 6, -1, 7, 1, 40});
}
END_TEST

START_TEST(persistent_requests_are_posted_each_time)
{
	int sends = 0;

	init();
	prof_agent_MPI_Send_init(0, 2, 4, 1, 9, WORLD, (prof_mpi_word)&sends);
	for (unsigned i = 0; i < 2; i++) {
		int handle = sends;
		prof_agent_MPI_Start((prof_mpi_word)&handle);
		prof_agent_MPI_Wait((prof_mpi_word)&handle, IGNORED);
		EXPECT({PROF_RING_OPERATION_SEND, 2 + i, 1, 9, 1, 8},
			{PROF_RING_OPERATION_SENT, 2 + i, -1, 0, 0, 0});
	}
}
END_TEST

START_TEST(collective_calls_have_their_root)
{
	init();
	prof_agent_MPI_Barrier(WORLD);
	prof_agent_MPI_Allreduce(0, 0, 1, 4, 0, WORLD);
	prof_agent_MPI_Bcast(0, 1, 4, 2, WORLD);
	/* It may have two groups. */
	prof_agent_MPI_Barrier(COMM);
	prof_agent_MPI_Finalize();
	EXPECT({PROF_RING_OPERATION_BARRIER, 2, -1, SIZE, 1, 0},
		{PROF_RING_OPERATION_ALL, 3, -1, SIZE, 1, 0},
		{PROF_RING_OPERATION_FROM_ROOT, 4, 2, SIZE, 1, 0},
		{PROF_RING_OPERATION_FINALIZE, 5, -1, 0, 0, 0});
}
END_TEST

/* The number that the communicator COMM has in the next record. */
static uint64_t number_of(prof_mpi_word comm)
{
	prof_agent_MPI_Send(0, 3, 4, 1, 9, comm);
	seen = read_records(events, PROF_RING_OPERATION);
	return events[seen - 1].values[3];
}

START_TEST(communicators_are_known_by_how_they_were_made)
{
	uint64_t numbers[2];

	for (int i = 0; i < 2; i++) {
		init();
		made = COMM;
		prof_agent_MPI_Comm_dup(WORLD, (prof_mpi_word)&made);
		numbers[i] = number_of(COMM);
		ck_assert_uint_ne(numbers[i], 0);
		prof_mpi_word handle = COMM;
		prof_agent_MPI_Comm_free((prof_mpi_word)&handle);
		ck_assert_uint_eq(number_of(COMM), 0);
		prof_agent_MPI_Comm_dup(WORLD, (prof_mpi_word)&made);
		ck_assert_uint_ne(number_of(COMM), 0);
		ck_assert_uint_ne(number_of(COMM), numbers[i]);
	}
	ck_assert_uint_eq(numbers[0], numbers[1]);
	/* Of one that is not known, the child is not either. */
	made = COMM + 1;
	prof_agent_MPI_Comm_dup(COMM + 2, (prof_mpi_word)&made);
	ck_assert_uint_eq(number_of(COMM + 1), 0);
}
END_TEST

START_TEST(a_split_by_type_makes_a_known_communicator)
{
	init();
	made = COMM;
	prof_agent_MPI_Comm_split_type(WORLD, 1, 0, 0, (prof_mpi_word)&made);
	ck_assert_uint_ne(number_of(COMM), 0);
}
END_TEST

START_TEST(a_copy_is_known_when_its_request_is_complete)
{
	int copying = 0, handle = COMM;

	init();
	prof_agent_MPI_Comm_idup(WORLD, (prof_mpi_word)&handle, (prof_mpi_word)&copying);
	/* Others of the same parent may come before that: the order of the calls counts. */
	made = COMM + 1;
	prof_agent_MPI_Comm_dup(WORLD, (prof_mpi_word)&made);
	ck_assert_uint_eq(number_of(COMM), 0);
	prof_agent_MPI_Wait((prof_mpi_word)&copying, IGNORED);
	uint64_t copy = number_of(COMM);
	ck_assert_uint_ne(copy, 0);
	init();
	made = COMM;
	shift = 0;
	prof_agent_MPI_Comm_dup(WORLD, (prof_mpi_word)&made);
	ck_assert_uint_eq(number_of(COMM), copy);
}
END_TEST

/* The number of the communicator that a group of WORLD makes with TAG. */
static uint64_t number_of_group(int tag)
{
	made = COMM;
	prof_agent_MPI_Comm_create_group(WORLD, 0, (uint32_t)tag, (prof_mpi_word)&made);
	return number_of(COMM);
}

START_TEST(what_a_group_makes_is_known_by_the_group)
{
	init();
	uint64_t first = number_of_group(1);
	ck_assert_uint_ne(first, 0);
	ck_assert_uint_ne(number_of_group(1), first);
	/* Other ranks of the parent have made others meanwhile, and do not know of this one. */
	init();
	made = COMM;
	prof_agent_MPI_Comm_dup(WORLD, (prof_mpi_word)&made);
	uint64_t other = number_of(COMM);
	ck_assert_uint_ne(number_of_group(2), first);
	ck_assert_uint_eq(number_of_group(1), first);
	init();
	number_of_group(1);
	prof_agent_MPI_Comm_dup(WORLD, (prof_mpi_word)&made);
	ck_assert_uint_eq(number_of(COMM), other);
	/* A rank that is in no MPI_COMM_WORLD. */
	shift = -1000;
	ck_assert_uint_eq(number_of_group(1), 0);
}
END_TEST

/* Joins two groups to the communicator COMM + 1, which has two. */
static uint64_t join(void)
{
	made = COMM + 1;
	prof_agent_MPI_Intercomm_create(COMM, 0, WORLD, 5, 7, (prof_mpi_word)&made);
	return number_of(COMM + 1);
}

START_TEST(intercommunicators_are_known_by_their_groups)
{
	uint64_t first;

	init();
	first = join();
	ck_assert_uint_ne(first, 0);
	/* Which handle the other group has in place of COMM is unknown to both. */
	ck_assert_uint_eq(number_of(COMM), 0);
	ck_assert_uint_ne(join(), first);
	init();
	ck_assert_uint_eq(join(), first);
	prof_agent_MPI_Barrier(COMM + 1);
	EXPECT_NONE();
	made = COMM;
	prof_agent_MPI_Intercomm_merge(COMM + 1, 0, (prof_mpi_word)&made);
	uint64_t merged = number_of(COMM);
	ck_assert_uint_ne(merged, 0);
	ck_assert_uint_ne(merged, first);
	prof_agent_MPI_Barrier(COMM);
	EXPECT({PROF_RING_OPERATION_BARRIER, 4, -1, SIZE, merged, 0});
	/* A rank that is in no MPI_COMM_WORLD. */
	shift = -1000;
	ck_assert_uint_eq(join(), 0);
}
END_TEST

START_TEST(a_message_that_was_found_is_received_in_its_turn)
{
	int found = 0, found_later = 0, receive = 0;

	init();
	from = 5;
	received = 8;
	prof_agent_MPI_Mprobe(5, TAG, WORLD, (prof_mpi_word)&found, IGNORED);
	flag = 1;
	prof_agent_MPI_Improbe(
		5, TAG, WORLD, (prof_mpi_word)&flag, (prof_mpi_word)&found_later, IGNORED);
	EXPECT_NONE();
	prof_agent_MPI_Imrecv(0, 8, 1, (prof_mpi_word)&found_later, (prof_mpi_word)&receive);
	prof_agent_MPI_Mrecv(0, 8, 1, (prof_mpi_word)&found, IGNORED);
	prof_agent_MPI_Wait((prof_mpi_word)&receive, IGNORED);
	EXPECT({PROF_RING_OPERATION_RECEIVE, 2, 5, TAG, 1, 8},
		{PROF_RING_OPERATION_RECEIVE, 3, 5, TAG, 1, 8});
	/* The one that was found first was sent first. */
	ck_assert_uint_lt(events[1].values[2], events[1].values[1]);
	ck_assert_uint_lt(events[1].values[2], events[2].values[2]);
	/* Where it was found before, its communicator is unknown. */
	found = 1 << 20;
	prof_agent_MPI_Mrecv(0, 8, 1, (prof_mpi_word)&found, IGNORED);
	EXPECT({PROF_RING_OPERATION_RECEIVE, 4, -1, TAG, 0, 8});
	/* There is none from MPI_PROC_NULL. */
	from = -1;
	found = 0x6c000000;
	prof_agent_MPI_Imrecv(0, 8, 1, (prof_mpi_word)&found, (prof_mpi_word)&receive);
	prof_agent_MPI_Wait((prof_mpi_word)&receive, IGNORED);
	EXPECT_NONE();
}
END_TEST

START_TEST(a_pause_leaves_a_gap_in_the_numbers)
{
	init();
	prof_agent_MPI_Send(0, 3, 4, 1, 9, WORLD);
	atomic_fetch_add(&ring->pauses, 1);
	prof_agent_MPI_Send(0, 3, 4, 1, 9, WORLD);
	EXPECT({PROF_RING_OPERATION_SEND, 2, 1, 9, 1, 12},
		{PROF_RING_OPERATION_SEND, 4, 1, 9, 1, 12});
}
END_TEST

START_TEST(behind_the_limit_there_is_none)
{
	enum { CALL = 9 * 8, OPERATION = 8 * 8 };

	begin_mpi(2 * (CALL + OPERATION) + OPERATION - 1, false);
	seen = 0;
	for (int i = 0; i < 5; i++)
		prof_agent_MPI_Send(0, 3, 4, 1, 9, WORLD);
	EXPECT({PROF_RING_OPERATION_SEND, 2, 1, 9, 1, 12},
		{PROF_RING_OPERATION_SEND, 3, 1, 9, 1, 12});
	ck_assert_uint_eq(ring->mpi_bytes, 5 * (CALL + OPERATION));
	ck_assert_uint_eq(ring->dropped, 3);
}
END_TEST

START_TEST(the_end_of_a_send_is_lost_without_room_for_its_request)
{
	int send = 0, begun = 0;

	init();
	/* The table is full sooner or later. */
	while (!ring->operations_lost && begun < 2 * PROF_MPI_REQUESTS) {
		prof_agent_MPI_Isend(0, 3, 4, 1, 9, WORLD, (prof_mpi_word)&send);
		begun++;
	}
	ck_assert_int_gt(begun, PROF_MPI_REQUESTS_REACH);
	ck_assert_uint_eq(ring->operations_lost, 1);
	/* Nothing will tell that it is complete, and its beginning is known all the same. */
	prof_agent_MPI_Wait((prof_mpi_word)&send, IGNORED);
	ck_assert_uint_eq(ring->operations_lost, 1);
}
END_TEST

RUN_TESTS("agent mpi_operations", numbers_are_the_same_however_many_threads_may_call,
	messages_have_their_tags_and_communicators, what_another_call_completes_was_posted_before,
	one_request_sends_and_receives, persistent_requests_are_posted_each_time,
	collective_calls_have_their_root, communicators_are_known_by_how_they_were_made,
	a_split_by_type_makes_a_known_communicator, a_copy_is_known_when_its_request_is_complete,
	what_a_group_makes_is_known_by_the_group, intercommunicators_are_known_by_their_groups,
	a_message_that_was_found_is_received_in_its_turn, a_pause_leaves_a_gap_in_the_numbers,
	behind_the_limit_there_is_none, the_end_of_a_send_is_lost_without_room_for_its_request)
