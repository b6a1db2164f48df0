/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Matches: which receive of one rank got what another rank sent, and which calls of all ranks were
 * one collective operation.
 *
 * MPI delivers the messages of one sender, receiver, communicator and tag in the order in which
 * they were sent to the receives in the order in which these were posted.  So the first receive got
 * the first message, and so on, as long as none is missing: only operations from MPI_Init() on
 * count, up to the first gap in their numbers.  Where both ranks are complete and one sent more
 * than the other received, or bytes differ, a call was not recorded, and none of these messages is
 * matched.
 */
#ifndef PROF_MODEL_MPI_MATCHES_H
#define PROF_MODEL_MPI_MATCHES_H

#include "base/memory.h"
#include "model/mpi_operation.h"

/* A message; numbers are those of operations. */
struct prof_mpi_match {
	uint32_t send, receive;
	uint32_t sent; /* the call that has completed the send, if that was another; or PROF_NONE */
};

/* A collective operation: COUNT of the MEMBERS, from FIRST on, those of one rank each. */
struct prof_mpi_collective {
	uint32_t first, count;
};

/* All zeroes is none. */
struct prof_mpi_matches {
	PROF_ARRAY(struct prof_mpi_match) list;
	PROF_ARRAY(struct prof_mpi_match) handshakes; /* messages that are not the program's */
	PROF_ARRAY(uint32_t) members;                 /* numbers of operations */
	PROF_ARRAY(struct prof_mpi_collective) collectives;
	/* Messages that either rank knows, and collective operations that any does. */
	uint64_t messages, all_collectives;
	bool several; /* operations are of several jobs: nothing is matched */
};

/* Matches the COUNT OPERATIONS. */
struct prof_error *prof_mpi_matches_init(struct prof_mpi_matches *matches,
	const struct prof_mpi_operation *operations, size_t count) PROF_MUST_CHECK;
void prof_mpi_matches_deinit(struct prof_mpi_matches *matches);
#define AUTO_MPI_MATCHES PROF_AUTO(prof_mpi_matches_deinit)

#endif
