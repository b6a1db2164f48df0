/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The messages of a call of MPI, added up by whom they went to or came from, and its records. */
#ifndef PROF_AGENT_MPI_MESSAGES_H
#define PROF_AGENT_MPI_MESSAGES_H

#include "agent/mpi.h"

enum { PROF_MPI_PEERS = 16 }; /* that are added up together: of more there are more records */

struct prof_mpi_messages {
	struct prof_agent_thread *thread;
	unsigned what; /* the hook */
	void *frame;   /* of the wrapper */
	uint64_t begun, ended;
	unsigned cpu;  /* on which it has ended */
	bool receives; /* the call has begun a receive, which counts when it is complete */
	bool told;     /* a record of the call was written */
	unsigned count;
	struct prof_mpi_peer {
		int rank; /* in MPI_COMM_WORLD, or PROF_MPI_NOBODY */
		uint64_t sends, sent, receives, received;
	} peers[PROF_MPI_PEERS];
};

/* The rank in MPI_COMM_WORLD of RANK in COMM: asked once, and then known to THREAD. */
int prof_mpi_messages_rank(struct prof_agent_thread *thread, prof_mpi_word comm, int rank);

/* The rank of the calling process in MPI_COMM_WORLD; PROF_MPI_NOBODY: the library does not say. */
int prof_mpi_messages_own_rank(struct prof_mpi_session *session);

/* A communicator was freed: another may have its handle. */
void prof_mpi_messages_forget(void);

/* Begins the call of the hook WHAT by THREAD, in the wrapper with the frame FRAME. */
static inline void prof_mpi_messages_begin(struct prof_mpi_messages *messages,
	struct prof_agent_thread *thread, unsigned what, void *frame)
{
	messages->thread = thread;
	messages->what = what;
	messages->frame = frame;
	messages->receives = false;
	messages->told = false;
	messages->count = 0;
}

struct prof_agent_record;

/* Counts the bytes of RECORD, without its stack.  False: it is behind the limit of SESSION. */
bool prof_mpi_messages_reserve(
	struct prof_agent_session *session, const struct prof_agent_record *record);

/* A message of BYTES was sent to PEER, or received from there. */
void prof_mpi_messages_sent(struct prof_mpi_messages *messages, int peer, uint64_t bytes);
void prof_mpi_messages_received(struct prof_mpi_messages *messages, int peer, uint64_t bytes);

/* Writes the records of the call that are left: one at least. */
void prof_mpi_messages_end(struct prof_mpi_messages *messages);

#endif
