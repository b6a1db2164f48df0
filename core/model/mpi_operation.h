/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Operations of MPI: what a rank did that other ranks took part in.  A send of one rank and the
 * receive of another have to be matched, to find who waited for whom: see model/mpi_matches.h.
 */
#ifndef PROF_MODEL_MPI_OPERATION_H
#define PROF_MODEL_MPI_OPERATION_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_experiment;

/* Files have these numbers, and the ring has the same: see enum prof_ring_operation. */
enum prof_mpi_operation_kind {
	PROF_OPERATION_INIT = 1, /* MPI_Init() has returned */
	PROF_OPERATION_SEND,     /* begun */
	PROF_OPERATION_BUFFERED, /* a send that waits for no receiver, begun */
	PROF_OPERATION_SENT,     /* a send, of this number, that was begun by another call */
	PROF_OPERATION_RECEIVE,  /* complete */
	PROF_OPERATION_BARRIER,
	PROF_OPERATION_ALL,       /* each rank sends to all */
	PROF_OPERATION_FROM_ROOT, /* one rank sends to all */
	PROF_OPERATION_TO_ROOT,   /* all send to one */
	PROF_OPERATION_FINALIZE,  /* MPI_Finalize() has returned */
	PROF_OPERATIONS,
};

enum {
	PROF_OPERATION_FIRST = 1, /* the number of PROF_OPERATION_INIT */
	/* The communicator of messages by which ranks have compared clocks: see
	   PROF_RING_HANDSHAKE. */
	PROF_OPERATION_HANDSHAKE = 3,
	/* The most operations in one recording, and in several that were merged. */
	PROF_OPERATIONS_MOST = 1 << 18,
	PROF_OPERATIONS_MERGED = 1 << 22,
};

struct prof_mpi_operation {
	uint32_t sample; /* of the call by which it was begun or is complete */
	uint32_t thread; /* the same */
	/* Operations of a process are numbered from PROF_OPERATION_FIRST on; a gap means that one
	 * was not recorded.  An operation of kind SENT has the number of its send. */
	uint32_t number;
	uint8_t kind;   /* enum prof_mpi_operation_kind */
	int64_t rank;   /* in MPI_COMM_WORLD; -1: not known */
	int64_t peer;   /* likewise; of a collective operation, the root, or -1 */
	int64_t tag;    /* of the message; of a collective operation, how many ranks take part */
	uint64_t comm;  /* the communicator: the same number in all its ranks; 0: not known */
	int64_t bytes;  /* of the message */
	int64_t posted; /* ns since the experiment's start: begin of the call that began it */
	int64_t begin, end; /* the same: of the call of the sample */
};

/* The names of the kinds. */
extern const char *const prof_mpi_operation_names[PROF_OPERATIONS];

/* Is OPERATION consistent?  Does not check its sample and thread. */
bool prof_mpi_operation_is_valid(const struct prof_mpi_operation *operation);

/*
 * Adds OPERATION to EXPERIMENT.  If that has PROF_OPERATIONS_MERGED already, counts it in
 * operations_lost of the recording instead.
 */
struct prof_error *prof_mpi_operation_add(struct prof_experiment *experiment,
	const struct prof_mpi_operation *operation) PROF_MUST_CHECK;

/* What is added to the numbers and times of an experiment that is merged into another. */
struct prof_mpi_operation_shift {
	size_t samples, threads;
	int64_t time; /* ns */
};

/* Adds the operations of FROM to INTO; if there would be too many, counts them as lost instead. */
struct prof_error *prof_mpi_operation_merge(struct prof_experiment *into,
	const struct prof_experiment *from, struct prof_mpi_operation_shift shift) PROF_MUST_CHECK;

#endif
