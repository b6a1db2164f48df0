/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a thread knows of the calls of MPI that it makes. */
#ifndef PROF_AGENT_MPI_THREAD_H
#define PROF_AGENT_MPI_THREAD_H

#include <stddef.h>
#include <stdint.h>

enum { PROF_MPI_RANKS = 256, PROF_MPI_TYPES = 16 };

/* All zeroes at first. */
struct prof_mpi_thread {
	void *volatile frame; /* of the wrapper of the call that it is in; NULL: it is in none */
	/* MPI_Init() of the library whose blocking calls the thread records at once; NULL: none. */
	const void *library;
	/* Sizes of types that cannot be freed, by hash; no type: 0. */
	struct prof_mpi_known_type {
		uintptr_t type;
		uint64_t size;
	} types[PROF_MPI_TYPES];
	/* Memory for the requests of a call, and their statuses, where these are many. */
	void *memory;
	size_t size; /* bytes of it */
	/* Ranks as they are in MPI_COMM_WORLD, by hash. */
	struct prof_mpi_known_rank {
		uintptr_t comm;
		uint64_t epoch; /* how often communicators were freed until then, plus 1 */
		int rank, world;
	} ranks[PROF_MPI_RANKS];
};

#endif
