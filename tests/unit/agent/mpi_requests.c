/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_requests.h"

#include "agent_session.h"

#include <pthread.h>
#include <stdlib.h>

static struct prof_mpi_requests requests;

static bool add(prof_mpi_word handle, unsigned kind, int peer)
{
	const struct prof_mpi_request added = {.handle = handle,
		.kind = kind,
		.comm = handle + 1,
		.peer = peer,
		.bytes = handle * 2};

	return prof_mpi_requests_add(&requests, &added);
}

static struct prof_mpi_request find(prof_mpi_word handle)
{
	return prof_mpi_requests_find(&requests, handle);
}

START_TEST(requests_are_found_until_they_are_over)
{
	ck_assert_uint_eq(find(5).kind, 0);
	ck_assert(add(5, PROF_MPI_REQUEST_RECEIVE, 3));
	ck_assert(add(6, PROF_MPI_REQUEST_SEND, 4));
	struct prof_mpi_request found = find(5);
	ck_assert_uint_eq(found.kind, PROF_MPI_REQUEST_RECEIVE);
	ck_assert(found.handle == 5 && found.comm == 6 && found.bytes == 10 && found.peer == 3);
	prof_mpi_requests_change(
		&requests, &found, PROF_MPI_REQUEST_RECEIVE | PROF_MPI_REQUEST_ACTIVE);
	found = find(5);
	ck_assert_uint_eq(found.kind, PROF_MPI_REQUEST_RECEIVE | PROF_MPI_REQUEST_ACTIVE);
	prof_mpi_requests_change(&requests, &found, 0);
	ck_assert_uint_eq(find(5).kind, 0);
	ck_assert_int_eq(find(6).peer, 4);
	prof_mpi_requests_remove(&requests, 6);
	ck_assert_uint_eq(find(6).kind, 0);
}
END_TEST

/* The library gives a handle again as soon as its request is complete. */
START_TEST(a_handle_that_was_given_again_is_another_request)
{
	ck_assert(add(5, PROF_MPI_REQUEST_RECEIVE, 1));
	struct prof_mpi_request before = find(5);
	ck_assert(add(5, PROF_MPI_REQUEST_RECEIVE, 2));
	prof_mpi_requests_change(&requests, &before, 0);
	ck_assert_int_eq(find(5).peer, 2);
	/* Even if it was over in between. */
	before = find(5);
	prof_mpi_requests_remove(&requests, 5);
	ck_assert(add(5, PROF_MPI_REQUEST_RECEIVE, 3));
	prof_mpi_requests_change(&requests, &before, 0);
	ck_assert_int_eq(find(5).peer, 3);
}
END_TEST

START_TEST(a_full_table_refuses_and_what_is_over_makes_room)
{
	enum { MORE = 2 * PROF_MPI_REQUESTS };
	bool *there = calloc(MORE, sizeof *there);
	size_t count = 0;

	ck_assert_ptr_nonnull(there);
	for (prof_mpi_word i = 0; i < MORE; i++)
		count += there[i] = add(i * 64, PROF_MPI_REQUEST_RECEIVE, (int)i);
	ck_assert_uint_gt(count, PROF_MPI_REQUESTS / 2);
	ck_assert_uint_le(count, PROF_MPI_REQUESTS);
	for (prof_mpi_word i = 0; i < MORE; i++) {
		ck_assert_int_eq(find(i * 64).kind != 0, there[i]);
		if (there[i])
			ck_assert_int_eq(find(i * 64).peer, (int)i);
	}
	for (prof_mpi_word i = 0; i < MORE; i++)
		prof_mpi_requests_remove(&requests, i * 64);
	for (prof_mpi_word i = 0; i < PROF_MPI_REQUESTS / 8; i++)
		ck_assert(add(i * 4096 + 7, PROF_MPI_REQUEST_RECEIVE, (int)i));
	free(there);
}
END_TEST

enum { THREADS = 4, ROUNDS = 50000, OWN = 8 };

/* Makes requests with handles of its own that others' hashes meet, and finds them as they were. */
static void *work(void *context)
{
	prof_mpi_word first = (prof_mpi_word)context;

	for (int i = 0; i < ROUNDS; i++) {
		prof_mpi_word handle = first + THREADS * (prof_mpi_word)(i % OWN);
		if (!add(handle, PROF_MPI_REQUEST_RECEIVE, i))
			return "there was no room";
		struct prof_mpi_request found = find(handle);
		if (found.kind != PROF_MPI_REQUEST_RECEIVE || found.peer != i ||
			found.comm != handle + 1 || found.bytes != handle * 2)
			return "it was not as it was added";
		prof_mpi_requests_change(&requests, &found, 0);
		if (find(handle).kind)
			return "it was not over";
	}
	return NULL;
}

START_TEST(threads_do_not_disturb_each_other)
{
	pthread_t threads[THREADS];
	void *result;

	for (size_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work, (void *)(i + 1)), 0);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		ck_assert_msg(!result, "%s", (char *)result);
	}
}
END_TEST

RUN_TESTS("agent mpi requests", requests_are_found_until_they_are_over,
	a_handle_that_was_given_again_is_another_request,
	a_full_table_refuses_and_what_is_over_makes_room, threads_do_not_disturb_each_other)
