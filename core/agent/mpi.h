/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Calls of MPI: how long they take, and the messages that they send and receive.
 *
 * Sends count when they are started, and receives when they are complete, with the bytes that came.
 * Only the outermost call of a thread counts: what the library calls itself, and what is called
 * from a function that the library calls back, is part of it.
 */
#ifndef PROF_AGENT_MPI_H
#define PROF_AGENT_MPI_H

#include "agent/hooks.h"
#include "agent/mpi_comms.h"
#include "agent/mpi_requests.h"
#include "agent/thread.h"

/* What the process knows of its requests and of itself, for a session. */
struct prof_mpi_session {
	_Atomic int rank;            /* in MPI_COMM_WORLD, plus 1; 0: not asked yet */
	_Atomic bool serial;         /* calls of MPI come one at a time: known with RANK */
	_Atomic uint64_t operations; /* that were numbered, without that of MPI_Init() */
	prof_mpi_word handshake;     /* communicator; 0: none */
	struct prof_mpi_requests requests;
	struct prof_mpi_comms comms;
};

/* Adds COUNT to *SUM, which calls of MPI alone change.  Returns what it was before. */
static inline uint64_t prof_mpi_session_add(
	struct prof_mpi_session *session, _Atomic uint64_t *sum, uint64_t count)
{
	/* An addition that no other thread can come between takes longer than a record. */
	if (!atomic_load_explicit(&session->serial, memory_order_relaxed))
		return atomic_fetch_add_explicit(sum, count, memory_order_relaxed);
	uint64_t before = atomic_load_explicit(sum, memory_order_relaxed);
	atomic_store_explicit(sum, before + count, memory_order_relaxed);
	return before;
}

/*
 * A call of the hook WHAT with WORDS, its arguments, by the wrapper with the frame FRAME.
 * An ignored status becomes one of the agent's.
 */
long prof_mpi_call(unsigned what, prof_mpi_word *words, void *frame);

/* A blocking send or receive that was made. */
struct prof_mpi_made {
	uint64_t begun;
	struct prof_system_stamp ended;
	long result;
	uint32_t node; /* of its stack; PROF_NODE_NONE: it is walked for the record */
};

/* Records the call MADE by THREAD, the one that calls, whose arguments have a status. */
void prof_mpi_call_record(struct prof_agent_thread *thread, unsigned what, prof_mpi_word *words,
	void *frame, const struct prof_mpi_made *made);

/*
 * What a session has that follows BEFORE, or NULL: memory of its own.  NULL: there is none.
 */
struct prof_mpi_session *prof_mpi_session_begin(struct prof_mpi_session *before);

/* Finds the functions of MPI that the program has, for their hooks. */
void prof_mpi_find(void);

#endif
