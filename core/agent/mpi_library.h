/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The MPI library of the program.  The agent is built against none: handles are words that it hands
 * on, and what it must know of messages it asks the library by its exported functions.
 *
 * Two families of libraries are known, which have different handles and statuses: Open MPI, and all
 * that have the ABI of MPICH.  Of another library calls and their times are recorded, but no
 * messages.
 */
#ifndef PROF_AGENT_MPI_LIBRARY_H
#define PROF_AGENT_MPI_LIBRARY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An argument of a call: a number, an address, or a handle. */
typedef uintptr_t prof_mpi_word;

enum {
	PROF_MPI_STATUS_MOST = 32, /* bytes of a status, at most */
	PROF_MPI_NOBODY = -1,      /* instead of a rank: it is not known */
};

/* What is the same in all libraries of a family. */
struct prof_mpi_abi {
	bool wide; /* handles are pointers, else 32 bits */
	/* The status of MPI_Isendrecv() has the message: MPICH 4.0 leaves there what was before. */
	bool exchange_status;
	int proc_null; /* MPI_PROC_NULL */
	int undefined; /* MPI_UNDEFINED */
	/* Bytes of a status, and offset of MPI_SOURCE in it; MPI_TAG follows. */
	size_t status_size, source;
	prof_mpi_word ignored;       /* MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE */
	prof_mpi_word byte, world;   /* MPI_BYTE and MPI_COMM_WORLD */
	prof_mpi_word self, no_comm; /* MPI_COMM_SELF and MPI_COMM_NULL */
	prof_mpi_word no_message;    /* MPI_MESSAGE_NO_PROC */
	/* All types from the one to the other are predefined: no program can free them. */
	prof_mpi_word first_type, last_type;
};

struct prof_mpi_library {
	struct prof_mpi_abi abi; /* all zeroes if it is of no known family */
	bool known;
	/* Its MPI_Init(), by which it was found; NULL: there is none yet.  The rest is set before.
	 */
	void *_Atomic init;
};

extern struct prof_mpi_library prof_mpi_library;

/* Finds the library of the program that has the function INIT, MPI_Init(); NULL: it has none. */
void prof_mpi_library_find(void *init);

/* Bytes of an element of TYPE; 0: the library does not say. */
uint64_t prof_mpi_type_size(prof_mpi_word type);

/*
 * Can statuses be read without a call of the library?  That is found out by what it writes there,
 * once: two calls for each message that is received take as long as its record.
 */
bool prof_mpi_reads_statuses(void);

/* If so: the bytes that were received, and whether what STATUS is of was cancelled. */
static inline uint64_t prof_mpi_status_bytes(const void *status)
{
	const uint32_t *halves = status;

	if (prof_mpi_library.abi.wide)
		return ((const uint64_t *)status)[2];
	return halves[0] | (uint64_t)(halves[1] >> 1) << 32;
}

static inline bool prof_mpi_status_cancelled(const void *status)
{
	const uint32_t *halves = status;

	return prof_mpi_library.abi.wide ? halves[3] != 0 : halves[1] & 1;
}

/* Bytes that were received; 0: the library does not say. */
uint64_t prof_mpi_received(const void *status);

/* Was what STATUS is of cancelled? */
bool prof_mpi_is_cancelled(const void *status);

/* The rank in the communicator that a message came from. */
static inline int prof_mpi_source(const void *status)
{
	return *(const int *)(const void *)((const char *)status + prof_mpi_library.abi.source);
}

/* The tag of the message. */
static inline int prof_mpi_tag(const void *status)
{
	return *(const int *)(const void *)((const char *)status + prof_mpi_library.abi.source +
		sizeof(int));
}

/* Has the communicator COMM two groups? */
bool prof_mpi_is_inter(prof_mpi_word comm);

/*
 * A number of the group of COMM, or of its two groups, which is the same in all ranks, and differs
 * from that of other groups; 0: a rank is not in MPI_COMM_WORLD, or the library does not say.
 */
uint64_t prof_mpi_groups(prof_mpi_word comm);

/*
 * The rank in MPI_COMM_WORLD of the rank 0 of COMM; if that has two groups, the lower one of both.
 * PROF_MPI_NOBODY as below.
 */
int prof_mpi_first_rank(prof_mpi_word comm);

/* How many ranks the communicator COMM has; 0: the library does not say. */
int prof_mpi_comm_size(prof_mpi_word comm);

/* A new communicator of all ranks, which all must ask for; 0: there is none. */
prof_mpi_word prof_mpi_copy_of_world(void);

/* Frees *COMM, and sets it to 0. */
void prof_mpi_free_comm(prof_mpi_word *comm);

/* Sends BYTES from DATA to PEER in COMM, and receives them. */
void prof_mpi_send(const void *data, int bytes, int peer, int tag, prof_mpi_word comm);
void prof_mpi_receive(void *data, int bytes, int peer, int tag, prof_mpi_word comm);

/* Has the program promised that its threads call MPI one at a time? */
bool prof_mpi_is_serial(void);

/* The rank of this process in MPI_COMM_WORLD; PROF_MPI_NOBODY: the library does not say. */
int prof_mpi_rank(void);

/*
 * The rank in MPI_COMM_WORLD of RANK in the communicator COMM, of the other group if that has two.
 * PROF_MPI_NOBODY: it is not in it, or the library does not say.
 */
int prof_mpi_world_rank(prof_mpi_word comm, int rank);

#endif
