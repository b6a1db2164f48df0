/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The messages of a call of MPI, added up by whom they went to or came from, and its records. */
#ifndef PROF_AGENT_MPI_MESSAGES_H
#define PROF_AGENT_MPI_MESSAGES_H

#include "agent/mpi.h"
#include "agent/record.h"

enum {
	PROF_MPI_PEERS = 16,  /* that are added up together: of more there are more records */
	PROF_MPI_PENDING = 8, /* records that are written together */
	PROF_MPI_MORE = 4,    /* values of a record behind the first ones */
};

struct prof_mpi_messages {
	struct prof_agent_thread *thread;
	unsigned what; /* the hook */
	void *frame;   /* of the wrapper */
	uint32_t node; /* of the call's stack; PROF_NODE_NONE: it is not walked yet */
	uint64_t begun, ended;
	unsigned cpu;  /* on which it has ended */
	bool receives; /* the call has begun a receive, which counts when it is complete */
	bool reported; /* a record of the call was written */
	unsigned count;
	struct prof_mpi_peer {
		int rank; /* in MPI_COMM_WORLD, or PROF_MPI_NOBODY */
		uint64_t sends, sent, receives, received;
	} peers[PROF_MPI_PEERS];
	/* Records that are not written yet, and what they have MORE. */
	unsigned pending;
	struct prof_agent_record records[PROF_MPI_PENDING];
	uint64_t more[PROF_MPI_PENDING][PROF_MPI_MORE];
};

/* The rank in MPI_COMM_WORLD of RANK in COMM: asked once, and then known to THREAD. */
int prof_mpi_messages_rank(struct prof_agent_thread *thread, prof_mpi_word comm, int rank);

/* Asks the library for the next function, and how many threads may call it. */
int prof_mpi_messages_ask_rank(struct prof_mpi_session *session);

/* The rank of the calling process in MPI_COMM_WORLD; PROF_MPI_NOBODY: the library does not say. */
static inline int prof_mpi_messages_own_rank(struct prof_mpi_session *session)
{
	int known = atomic_load_explicit(&session->rank, memory_order_relaxed);

	return known ? known - 1 : prof_mpi_messages_ask_rank(session);
}

/* A communicator was freed: another may have its handle. */
void prof_mpi_messages_forget(void);

/* Begins the call of the hook WHAT by THREAD, in the wrapper with the frame FRAME. */
static inline void prof_mpi_messages_begin(struct prof_mpi_messages *messages,
	struct prof_agent_thread *thread, unsigned what, void *frame)
{
	messages->thread = thread;
	messages->what = what;
	messages->frame = frame;
	messages->node = PROF_NODE_NONE;
	messages->receives = false;
	messages->reported = false;
	messages->count = 0;
	messages->pending = 0;
}

/* The next record of the call, which the caller fills in, with room for PROF_MPI_MORE values in
 * MORE. */
static inline struct prof_agent_record *prof_mpi_messages_next(
	struct prof_mpi_messages *messages, uint64_t **more)
{
	struct prof_agent_record *record = &messages->records[messages->pending];

	*more = messages->more[messages->pending];
	record->what = messages->what;
	record->cpu = messages->cpu;
	record->node = PROF_NODE_EMPTY;
	record->more = *more;
	return record;
}

/*
 * That record is filled in.  Records that are behind the limit of the session are not written;
 * where they are of a call, that counts as dropped.
 */
void prof_mpi_messages_add(struct prof_mpi_messages *messages);

/* A message of BYTES was sent to PEER, or received from there. */
void prof_mpi_messages_sent(struct prof_mpi_messages *messages, int peer, uint64_t bytes);
void prof_mpi_messages_received(struct prof_mpi_messages *messages, int peer, uint64_t bytes);

/* Writes the records of the call that are left: one at least. */
void prof_mpi_messages_end(struct prof_mpi_messages *messages);

#endif
