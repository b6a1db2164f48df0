/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The wrappers of MPI's functions: they take as many words as the functions have arguments. */
#ifndef PROF_AGENT_MPI_WRAPPERS_H
#define PROF_AGENT_MPI_WRAPPERS_H

#include "agent/mpi_functions.h"
#include "agent/mpi_library.h"

/* Lists of parameters, and of what they are given. */
/* clang-format off */
#define PROF_MPI_TAKE_0 void
#define PROF_MPI_TAKE_1 prof_mpi_word a
#define PROF_MPI_TAKE_2 prof_mpi_word a, prof_mpi_word b
#define PROF_MPI_TAKE_3 prof_mpi_word a, prof_mpi_word b, prof_mpi_word c
#define PROF_MPI_TAKE_4 prof_mpi_word a, prof_mpi_word b, prof_mpi_word c, prof_mpi_word d
#define PROF_MPI_TAKE_5 prof_mpi_word a, prof_mpi_word b, prof_mpi_word c, prof_mpi_word d, prof_mpi_word e
#define PROF_MPI_TAKE_6 PROF_MPI_TAKE_5, prof_mpi_word f
#define PROF_MPI_TAKE_7 PROF_MPI_TAKE_6, prof_mpi_word g
#define PROF_MPI_TAKE_8 PROF_MPI_TAKE_7, prof_mpi_word h
#define PROF_MPI_TAKE_9 PROF_MPI_TAKE_8, prof_mpi_word i
#define PROF_MPI_TAKE_10 PROF_MPI_TAKE_9, prof_mpi_word j
#define PROF_MPI_TAKE_11 PROF_MPI_TAKE_10, prof_mpi_word k
#define PROF_MPI_TAKE_12 PROF_MPI_TAKE_11, prof_mpi_word l
#define PROF_MPI_GIVE_0 0 /* an array of none */
#define PROF_MPI_GIVE_1 a
#define PROF_MPI_GIVE_2 a, b
#define PROF_MPI_GIVE_3 a, b, c
#define PROF_MPI_GIVE_4 a, b, c, d
#define PROF_MPI_GIVE_5 a, b, c, d, e
#define PROF_MPI_GIVE_6 a, b, c, d, e, f
#define PROF_MPI_GIVE_7 a, b, c, d, e, f, g
#define PROF_MPI_GIVE_8 a, b, c, d, e, f, g, h
#define PROF_MPI_GIVE_9 a, b, c, d, e, f, g, h, i
#define PROF_MPI_GIVE_10 a, b, c, d, e, f, g, h, i, j
#define PROF_MPI_GIVE_11 a, b, c, d, e, f, g, h, i, j, k
#define PROF_MPI_GIVE_12 a, b, c, d, e, f, g, h, i, j, k, l
/* And the same of an array. */
#define PROF_MPI_WORDS_0
#define PROF_MPI_WORDS_1 words[0]
#define PROF_MPI_WORDS_2 words[0], words[1]
#define PROF_MPI_WORDS_3 words[0], words[1], words[2]
#define PROF_MPI_WORDS_4 words[0], words[1], words[2], words[3]
#define PROF_MPI_WORDS_5 words[0], words[1], words[2], words[3], words[4]
#define PROF_MPI_WORDS_6 PROF_MPI_WORDS_5, words[5]
#define PROF_MPI_WORDS_7 PROF_MPI_WORDS_6, words[6]
#define PROF_MPI_WORDS_8 PROF_MPI_WORDS_7, words[7]
#define PROF_MPI_WORDS_9 PROF_MPI_WORDS_8, words[8]
#define PROF_MPI_WORDS_10 PROF_MPI_WORDS_9, words[9]
#define PROF_MPI_WORDS_11 PROF_MPI_WORDS_10, words[10]
#define PROF_MPI_WORDS_12 PROF_MPI_WORDS_11, words[11]
/* clang-format on */

#define PROF_MPI_JOIN_(a, b) a##b
#define PROF_MPI_JOIN(a, b) PROF_MPI_JOIN_(a, b)

/* The type of the wrapper of the function NAME with COUNT arguments. */
#define PROF_MPI_WRAPPER(name, count) long prof_agent_##name(PROF_MPI_JOIN(PROF_MPI_TAKE_, count))

#define PROF_MPI_DECLARE(name, count, class) \
	PROF_MPI_WRAPPER(MPI_##name, count); \
	PROF_MPI_WRAPPER(PMPI_##name, count);

PROF_MPI_FUNCTIONS(PROF_MPI_DECLARE)

#endif
