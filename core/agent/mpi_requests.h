/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Requests of the library: sends, receives, or both, persistent or not, with what is known of their
 * messages; those that make communicators; and messages that were found, and can be received alone.
 * No handle is both at a time.
 *
 * The table has room for a fixed number of them, is read and changed by all threads without locks,
 * and needs no memory but its own.  A request is known by its handle.  Its slot has a state that is
 * never the same twice, so a thread that has read a slot can check later whether it still has the
 * same request: the library reuses handles at once.
 */
#ifndef PROF_AGENT_MPI_REQUESTS_H
#define PROF_AGENT_MPI_REQUESTS_H

#include "agent/mpi_library.h"

#include <stdatomic.h>

enum {
	PROF_MPI_REQUESTS = 1 << 16,  /* slots */
	PROF_MPI_REQUESTS_REACH = 32, /* slots in which one can be, from where its hash leads to */
};

/* What a request is: bits. */
enum prof_mpi_request_kind {
	PROF_MPI_REQUEST_SEND = 1,
	PROF_MPI_REQUEST_RECEIVE = 2,
	PROF_MPI_REQUEST_PERSISTENT = 4,
	PROF_MPI_REQUEST_ACTIVE = 8,     /* it was started, and is not known to be complete */
	PROF_MPI_REQUEST_BUFFERED = 16,  /* a send that waits for no receiver */
	PROF_MPI_REQUEST_MESSAGE = 32,   /* no request, but a message that was found */
	PROF_MPI_REQUEST_COMM = 64,      /* it makes a communicator */
	PROF_MPI_REQUEST_EXCHANGE = 128, /* a receive that was begun together with a send */
};

struct prof_mpi_request {
	prof_mpi_word handle;
	unsigned kind; /* bits of enum prof_mpi_request_kind; 0: it is not known */
	/* Of a receive, whose source is known when it is complete; of what makes a communicator the
	 * address where its handle is then. */
	prof_mpi_word comm;
	/* Of a send, whose peer is a rank in MPI_COMM_WORLD, or PROF_MPI_NOBODY.  Of an exchange
	 * what its receive has asked for: a rank in the communicator, or below 0, and so the tag,
	 * and the bytes of its buffer. */
	int peer, tag;
	uint64_t bytes;
	uint64_t number;    /* of the communicator, see agent/mpi_comms.h; 0: not known */
	uint64_t posted;    /* time stamp: when it was begun, if it is active */
	uint32_t operation; /* of a send that is active: its number */

	/* Private part: where it was found, and in which state. */
	uint32_t slot;
	uint64_t state;
};

/* All zeroes is the empty table. */
struct prof_mpi_requests {
	struct prof_mpi_requests_slot {
		_Atomic uint64_t state; /* changes << 9 | BUSY or kind; 0: never used */
		_Atomic prof_mpi_word handle, comm;
		_Atomic uint64_t bytes, number, posted;
		_Atomic int peer, tag;
		_Atomic uint32_t operation;
	} slots[PROF_MPI_REQUESTS];
};

/* Adds REQUEST in place of what its handle was before.  False: there is no room. */
bool prof_mpi_requests_add(
	struct prof_mpi_requests *requests, const struct prof_mpi_request *request);

/* The request HANDLE; of one that is not known, the kind is 0. */
struct prof_mpi_request prof_mpi_requests_find(
	struct prof_mpi_requests *requests, prof_mpi_word handle);

/* REQUEST, which was found, is KIND from now on, 0: over, unless it is another by now. */
void prof_mpi_requests_change(
	struct prof_mpi_requests *requests, const struct prof_mpi_request *request, unsigned kind);

/* Forgets the request HANDLE, if it is known. */
static inline void prof_mpi_requests_remove(
	struct prof_mpi_requests *requests, prof_mpi_word handle)
{
	struct prof_mpi_request found = prof_mpi_requests_find(requests, handle);

	if (found.kind)
		prof_mpi_requests_change(requests, &found, 0);
}

#endif
