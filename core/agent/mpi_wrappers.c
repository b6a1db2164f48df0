/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_wrappers.h"

#include "agent/mpi.h"

#define WORDS(count)                                 \
	{                                            \
		PROF_MPI_JOIN(PROF_MPI_GIVE_, count) \
	}

#define DEFINE(name, count)                                                                \
	PROF_MPI_WRAPPER(name, count)                                                      \
	{                                                                                  \
		prof_mpi_word words[] = WORDS(count);                                      \
		return prof_mpi_call(PROF_HOOK_##name, words, __builtin_frame_address(0)); \
	}
#define DEFINE_MPI(name, count, class) DEFINE(MPI_##name, count)
#define DEFINE_PMPI(name, count, class) DEFINE(PMPI_##name, count)

PROF_MPI_FUNCTIONS(DEFINE_MPI)
PROF_MPI_FUNCTIONS(DEFINE_PMPI)
