/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mpi_matches.h"

#include "base/map.h"
#include "operations.h"
#include "suite.h"

/* Matches all operations; MESSAGES and COLLECTIVES are how many are there, and matched. */
static void expect(struct prof_mpi_matches *matches, size_t messages, size_t all,
	size_t collectives, size_t all_collectives)
{
	ck_assert_ok(prof_mpi_matches_init(matches, operations, operation_count));
	ck_assert_uint_eq(matches->list.count, messages);
	ck_assert_uint_eq(matches->messages, all);
	ck_assert_uint_eq(matches->collectives.count, collectives);
	ck_assert_uint_eq(matches->all_collectives, all_collectives);
}

/* Is the send FROM matched with the receive TO? */
static bool has(const struct prof_mpi_matches *matches, const struct prof_mpi_operation *from,
	const struct prof_mpi_operation *to)
{
	for (size_t i = 0; i < matches->list.count; i++) {
		if (&operations[matches->list.items[i].send] == from)
			return &operations[matches->list.items[i].receive] == to;
	}
	return false;
}

static struct prof_mpi_operation *send_at(int64_t begin)
{
	return operate_message(PROF_OPERATION_SEND, 0, 1, begin, begin + 1);
}

static struct prof_mpi_operation *receive_at(int64_t begin)
{
	return operate_message(PROF_OPERATION_RECEIVE, 1, 0, begin, begin + 1);
}

static void init_two(void)
{
	operate_init(0);
	operate_init(1);
}

static void finalize_two(void)
{
	operate_finalize(0);
	operate_finalize(1);
}

START_TEST(messages_of_one_tag_are_in_the_order_in_which_they_were_posted)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	const struct prof_mpi_operation *first = send_at(10), *second = send_at(20);
	struct prof_mpi_operation *late = receive_at(50), *early = receive_at(60);
	early->posted = 5;
	finalize_two();
	expect(&matches, 2, 2, 0, 0);
	ck_assert(has(&matches, first, early));
	ck_assert(has(&matches, second, late));
	ck_assert_uint_eq(matches.list.items[0].sent, PROF_NONE);
}
END_TEST

START_TEST(tags_and_communicators_do_not_mix)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	struct prof_mpi_operation *a = send_at(10), *b = send_at(20), *c = send_at(30);
	struct prof_mpi_operation *z = receive_at(40), *y = receive_at(50), *x = receive_at(60);
	b->tag = y->tag = 2;
	c->comm = z->comm = 9;
	finalize_two();
	expect(&matches, 3, 3, 0, 0);
	ck_assert(has(&matches, a, x));
	ck_assert(has(&matches, b, y));
	ck_assert(has(&matches, c, z));
}
END_TEST

START_TEST(where_calls_are_missing_nothing_is_matched)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	send_at(10);
	send_at(20);
	receive_at(30);
	finalize_two();
	expect(&matches, 0, 2, 0, 0);
}
END_TEST

START_TEST(messages_that_become_longer_are_not_matched)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	send_at(10);
	receive_at(30)->bytes = 9;
	finalize_two();
	expect(&matches, 0, 1, 0, 0);
}
END_TEST

START_TEST(a_rank_counts_up_to_the_first_gap)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	const struct prof_mpi_operation *first = send_at(10);
	next_numbers[0]++;
	send_at(20);
	const struct prof_mpi_operation *receive = receive_at(30);
	receive_at(40);
	operate_finalize(1);
	expect(&matches, 1, 2, 0, 0);
	ck_assert(has(&matches, first, receive));
}
END_TEST

START_TEST(a_rank_that_was_not_recorded_from_the_beginning_does_not_count)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	operate_init(0);
	send_at(10);
	next_numbers[1] = 1;
	receive_at(30);
	expect(&matches, 0, 1, 0, 0);
}
END_TEST

START_TEST(a_send_knows_the_call_that_completed_it)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	const struct prof_mpi_operation *send = send_at(10);
	const struct prof_mpi_operation *sent =
		operate((struct prof_mpi_operation){.kind = PROF_OPERATION_SENT,
			.number = send->number,
			.peer = -1,
			.begin = 20,
			.end = 30});
	receive_at(30);
	finalize_two();
	expect(&matches, 1, 1, 0, 0);
	ck_assert_ptr_eq(&operations[matches.list.items[0].sent], sent);
}
END_TEST

START_TEST(collective_operations_have_all_ranks)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	for (int64_t rank = 0; rank < 2; rank++) {
		operate_all(PROF_OPERATION_BARRIER, rank, -1, 2, 10 + rank, 20);
		operate_all(PROF_OPERATION_FROM_ROOT, rank, 1, 2, 30, 40);
		/* The second is another on each. */
		operate_all(
			rank ? PROF_OPERATION_ALL : PROF_OPERATION_BARRIER, rank, -1, 2, 50, 60);
	}
	/* A third rank is missing. */
	operate_all(PROF_OPERATION_BARRIER, 0, -1, 3, 70, 80)->comm = 9;
	operate_all(PROF_OPERATION_BARRIER, 1, -1, 3, 70, 80)->comm = 9;
	expect(&matches, 0, 0, 2, 4);
	ck_assert_uint_eq(matches.collectives.items[1].count, 2);
	ck_assert_uint_eq(
		operations[matches.members.items[matches.collectives.items[1].first]].begin, 30);
}
END_TEST

START_TEST(unknown_communicators_match_nothing)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	send_at(10)->comm = 0;
	receive_at(20)->comm = 0;
	operate_all(PROF_OPERATION_BARRIER, 0, -1, 2, 30, 40)->comm = 0;
	operate_all(PROF_OPERATION_BARRIER, 1, -1, 2, 30, 40)->comm = 0;
	finalize_two();
	expect(&matches, 0, 1, 0, 1);
}
END_TEST

START_TEST(of_several_jobs_nothing_is_matched)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	send_at(10);
	receive_at(10);
	next_numbers[0] = 0;
	operate_init(0);
	ck_assert_ok(prof_mpi_matches_init(&matches, operations, operation_count));
	ck_assert(matches.several);
	ck_assert_uint_eq(matches.list.count, 0);
}
END_TEST

START_TEST(messages_of_a_handshake_are_not_the_programs)
{
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	init_two();
	send_at(10)->comm = PROF_OPERATION_HANDSHAKE;
	receive_at(20)->comm = PROF_OPERATION_HANDSHAKE;
	finalize_two();
	expect(&matches, 0, 0, 0, 0);
	ck_assert_uint_eq(matches.handshakes.count, 1);
	ck_assert_uint_eq(matches.handshakes.items[0].receive, 3);
}
END_TEST

RUN_TESTS("mpi_matches", messages_of_a_handshake_are_not_the_programs,
	messages_of_one_tag_are_in_the_order_in_which_they_were_posted,
	tags_and_communicators_do_not_mix, where_calls_are_missing_nothing_is_matched,
	messages_that_become_longer_are_not_matched, a_rank_counts_up_to_the_first_gap,
	a_rank_that_was_not_recorded_from_the_beginning_does_not_count,
	a_send_knows_the_call_that_completed_it, collective_operations_have_all_ranks,
	unknown_communicators_match_nothing, of_several_jobs_nothing_is_matched)
