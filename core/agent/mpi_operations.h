/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Operations: what a rank does by MPI that other ranks take part in, each with a record of its own.
 * They are numbered, so that a reader can see whether one is missing.
 */
#ifndef PROF_AGENT_MPI_OPERATIONS_H
#define PROF_AGENT_MPI_OPERATIONS_H

#include "agent/mpi_messages.h"

struct prof_agent_operation {
	enum prof_ring_operation kind;
	int peer;        /* rank in MPI_COMM_WORLD; of a collective operation the root, or -1 */
	int tag;         /* of the message; of a collective operation how many ranks take part */
	uint64_t comm;   /* the number of the communicator; 0: not known */
	uint64_t bytes;  /* of the message */
	uint64_t posted; /* time stamp */
};

/* The next number in SESSION: it skips one for each time that nothing was recorded. */
static inline uint32_t prof_mpi_operations_number(struct prof_agent_session *session)
{
	uint64_t pauses = atomic_load_explicit(&session->ring->pauses, memory_order_relaxed);
	uint64_t before = prof_mpi_session_add(session->mpi, &session->mpi->operations, 1);

	return (uint32_t)(PROF_RING_OPERATION_FIRST + 1 + before + pauses);
}

/* Writes OPERATION of the call that MESSAGES is of, which has ended.  Returns its number. */
uint32_t prof_mpi_operations_write(
	struct prof_mpi_messages *messages, const struct prof_agent_operation *operation);

/* The send NUMBER, which was begun by another call, is complete by the call of MESSAGES. */
void prof_mpi_operations_sent(struct prof_mpi_messages *messages, uint32_t number);

#endif
