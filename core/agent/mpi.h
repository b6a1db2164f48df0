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
	_Atomic uint32_t operations; /* that were numbered, without that of MPI_Init() */
	struct prof_mpi_requests requests;
	struct prof_mpi_comms comms;
};

/* A call of the hook WHAT with WORDS, PROF_MPI_WORDS of them, by the wrapper with the frame FRAME.
 */
long prof_mpi_call(unsigned what, const prof_mpi_word *words, void *frame);

/*
 * What a session has that follows BEFORE, or NULL: memory of its own.  NULL: there is none.
 */
struct prof_mpi_session *prof_mpi_session_begin(struct prof_mpi_session *before);

/* Finds the functions of MPI that the program has, for their hooks. */
void prof_mpi_find(void);

#endif
