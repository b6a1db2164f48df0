/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Communicators: a number of each that is the same in all its ranks.
 *
 * The library has no such number for others.  But all ranks of a communicator make others of it in
 * the same order, because that is collective: so a communicator is identified by the number of its
 * parent, by how many the parent had before, and by its first rank.  MPI_COMM_WORLD and
 * MPI_COMM_SELF are known.  An intercommunicator that was made of two others has no parent that all
 * its ranks know: its two groups stand for that.  Only the ranks of a group make a communicator of
 * it by MPI_Comm_create_group(): there the group, the tag and the parent stand for the parent.
 * Communicators with processes of several MPI_COMM_WORLDs, and those made by functions that the
 * agent does not intercept, are unknown.
 *
 * Threads find communicators without locks.  If two threads add one at the same moment, one of the
 * two stays unknown.
 */
#ifndef PROF_AGENT_MPI_COMMS_H
#define PROF_AGENT_MPI_COMMS_H

#include "agent/mpi_library.h"

#include <stdatomic.h>

enum {
	PROF_MPI_COMMS = 4096,
	PROF_MPI_COMMS_REACH = 32, /* slots in which one can be, from where its hash leads to */
};

/* All zeroes at first. */
struct prof_mpi_comm {
	_Atomic prof_mpi_word handle;
	_Atomic uint64_t number;   /* 0: it is not known */
	_Atomic uint64_t children; /* that were made of it */
};

struct prof_mpi_comms {
	atomic_flag busy; /* a thread changes a slot */
	struct prof_mpi_comm world, self;
	struct prof_mpi_comm slots[PROF_MPI_COMMS];
};

/* The bit that the numbers of intercommunicators have, and no others. */
#define PROF_MPI_COMMS_INTER (UINT64_C(1) << 30)

/* The number of COMM; 0: it is not known. */
uint64_t prof_mpi_comms_number(struct prof_mpi_comms *comms, prof_mpi_word comm);

/*
 * MADE was made of PARENT, by all ranks of that; it is MPI_COMM_NULL where this rank is not in it.
 * FIRST is the rank in MPI_COMM_WORLD of its rank 0, of the lower one where it has two groups:
 * INTER.
 */
void prof_mpi_comms_add(struct prof_mpi_comms *comms, prof_mpi_word parent, prof_mpi_word made,
	int first, bool inter);

/*
 * The number of a communicator that is made of PARENT as above, and will be set when it exists; 0:
 * it is not known.
 */
uint64_t prof_mpi_comms_child(
	struct prof_mpi_comms *comms, prof_mpi_word parent, int first, bool inter);
void prof_mpi_comms_set(struct prof_mpi_comms *comms, prof_mpi_word made, uint64_t number);

/*
 * The same of an intercommunicator MADE by two groups, whose number is GROUPS; 0: they are not
 * known.
 */
void prof_mpi_comms_join(
	struct prof_mpi_comms *comms, uint64_t groups, prof_mpi_word made, int first);

/*
 * The same of a communicator MADE of PARENT with TAG by its own ranks alone, whose number is GROUP;
 * 0: they are not known.
 */
void prof_mpi_comms_add_group(struct prof_mpi_comms *comms, prof_mpi_word parent, int tag,
	uint64_t group, prof_mpi_word made, int first);

/* COMM is about to be freed: another may have its handle then. */
void prof_mpi_comms_remove(struct prof_mpi_comms *comms, prof_mpi_word comm);

#endif
