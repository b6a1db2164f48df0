/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The handshake of the ranks of a job: how far their clocks differ.
 *
 * In MPI_Init() and MPI_Finalize() rank 0 exchanges short messages with each other rank, and both
 * record those of the shortest round trip.  All ranks must take part: without one of them the
 * others wait for ever.
 */
#ifndef PROF_AGENT_MPI_HANDSHAKE_H
#define PROF_AGENT_MPI_HANDSHAKE_H

#include "agent/mpi_call.h"

/* Of one pair of ranks, as one of them sees it: time stamps, of when it sent and received. */
struct prof_mpi_exchange {
	int peer;
	uint64_t sent, received;
};

/* Exchanges messages with the other ranks, in the MPI_Init() or before the MPI_Finalize() CALL. */
void prof_mpi_handshake(struct prof_mpi_call *call);

/* Writes what the handshake of CALL, which is over, has found. */
void prof_mpi_handshake_write(struct prof_mpi_call *call);

#endif
