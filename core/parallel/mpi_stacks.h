/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stacks of programs with MPI: whether a thread inside a function of MPI works there, or waits for
 * messages.
 *
 *	main  MPI_Recv  opal_progress  (mca_btl_vader)     waits: its library polls
 *	main  MPI_Send  mca_pml_ob1_send  memcpy           works
 *
 * Libraries of MPI wait by polling, which is time on a CPU; see doc/explanation/time-and-states.md.
 */
#ifndef PROF_PARALLEL_MPI_STACKS_H
#define PROF_PARALLEL_MPI_STACKS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;

/* What a function is, by its name alone: bits. */
enum prof_mpi_kind {
	PROF_MPI_KIND_CALL = 1, /* one of MPI's, in C or Fortran: MPI_Send, PMPI_Send, mpi_send_ */
	PROF_MPI_KIND_BLOCKING = 2, /* one of these that waits for messages: MPI_Recv, MPI_Wait */
	PROF_MPI_KIND_POLLING = 4,  /* a library looks for messages there, or waits in the kernel */
	PROF_MPI_KIND_NAMELESS = 8, /* it has no name of its own */
};

/* The kinds of the function NAME. */
unsigned prof_mpi_kinds(const char *name);

/* Sets the bits of MPI in CLASSES, by path: see parallel/class.h. */
struct prof_error *prof_mpi_classify(
	const struct prof_experiment *experiment, uint8_t *classes) PROF_MUST_CHECK;

#endif
