/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_wrappers.h"

#include "agent/mpi_blocking.h"

#define WORDS(count)                                 \
	{                                            \
		PROF_MPI_JOIN(PROF_MPI_GIVE_, count) \
	}

/* Which function makes the call, by its class, is known when it is compiled. */
static inline long call(enum prof_mpi_class class, unsigned what, prof_mpi_word *words, void *frame)
{
	switch (class) {
	case PROF_MPI_SEND:
		return prof_mpi_blocking_send(what, words, frame);
	case PROF_MPI_RECV:
		return prof_mpi_blocking_receive(what, words, frame);
	default:
		return prof_mpi_call(what, words, frame);
	}
}

#define DEFINE(name, count, class)                                                       \
	PROF_MPI_WRAPPER(name, count)                                                    \
	{                                                                                \
		prof_mpi_word words[] = WORDS(count);                                    \
		return call(class, PROF_HOOK_##name, words, __builtin_frame_address(0)); \
	}
#define DEFINE_MPI(name, count, class) DEFINE(MPI_##name, count, PROF_MPI_##class)
#define DEFINE_PMPI(name, count, class) DEFINE(PMPI_##name, count, PROF_MPI_##class)

PROF_MPI_FUNCTIONS(DEFINE_MPI)
PROF_MPI_FUNCTIONS(DEFINE_PMPI)
