/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A call of MPI: what the agent finds out before it, and what the agent records after it. */
#ifndef PROF_AGENT_MPI_CALL_H
#define PROF_AGENT_MPI_CALL_H

#include "agent/mpi_functions.h"
#include "agent/mpi_operations.h"

struct prof_mpi_exchange;

enum { PROF_MPI_FEW = 16 }; /* requests of a call for which no memory is needed */

struct prof_mpi_call {
	prof_mpi_word *words; /* as they are handed on */
	unsigned number;      /* of the function, among MPI's */
	unsigned arguments;   /* of the function: as many WORDS */
	enum prof_mpi_class class;
	struct prof_agent_thread *thread;
	struct prof_mpi_session *session;
	struct prof_mpi_messages messages;

	/* The message that it sends; to nobody if not SENDS: the rest is unset then.  If POSTPONED,
	 * that is found out after the call, by the arguments from SENT_COUNT on, and SENT_COMM. */
	bool sends, postponed;
	unsigned sent_count, sent_comm;
	int peer, tag;
	uint64_t bytes;
	uint64_t comm; /* the number of the communicator */

	/* What its handshake has found, see agent/mpi_handshake.h. */
	struct prof_mpi_exchange *exchanges;
	size_t exchange_count;

	/* Its requests as they are before it, and where the library puts statuses: unset where it
	 * has none. */
	size_t count;
	struct prof_mpi_request *requests;
	char *statuses;
	struct prof_mpi_request few[PROF_MPI_FEW];
	char few_statuses[PROF_MPI_FEW * PROF_MPI_STATUS_MOST];
};

/* The argument INDEX of CALL. */
static inline int prof_mpi_call_number(const struct prof_mpi_call *call, unsigned index)
{
	return (int)call->words[index];
}

static inline prof_mpi_word prof_mpi_call_handle(const struct prof_mpi_call *call, unsigned index)
{
	return prof_mpi_library.abi.wide ? call->words[index] : (uint32_t)call->words[index];
}

/* The request NUMBER of the array INDEX. */
static inline prof_mpi_word prof_mpi_call_request(
	const struct prof_mpi_call *call, unsigned index, size_t number)
{
	const uint32_t *narrow = (const uint32_t *)call->words[index];

	return prof_mpi_library.abi.wide ? ((const prof_mpi_word *)narrow)[number] : narrow[number];
}

/* What is written to the argument INDEX. */
static inline int prof_mpi_call_answer(const struct prof_mpi_call *call, unsigned index)
{
	return *(const int *)call->words[index];
}

/* Looks at what CALL sends, and at the requests that it may complete, before it is made. */
void prof_mpi_call_plan(struct prof_mpi_call *call);

/* Finds out what CALL, which was made, has sent. */
void prof_mpi_call_plan_postponed(struct prof_mpi_call *call);

/* CALL has succeeded: notes what it has sent, received, begun or made. */
void prof_mpi_call_note(struct prof_mpi_call *call);

/* CALL has made a communicator, or begun to make one. */
void prof_mpi_call_note_comm(struct prof_mpi_call *call);

/* CALL has completed REQUEST, which has made a communicator. */
void prof_mpi_call_note_made(struct prof_mpi_call *call, const struct prof_mpi_request *request);

#endif
