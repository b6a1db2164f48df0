/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How far the clocks of the hosts of an MPI job differ, as its own messages show: none arrives
 * before it was sent, and nobody leaves a barrier before all have come.
 *
 * Messages in both directions bound the difference from both sides.  Nothing is added to the
 * program for this: a handshake would hang, or take messages of the program, where one rank is not
 * traced (doc/explanation/tracing.md).
 */
#ifndef PROF_MODEL_MPI_CLOCKS_H
#define PROF_MODEL_MPI_CLOCKS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;

struct prof_mpi_clocks {
	/* Every clock is bounded by messages to and from ranks with the first rank's clock. */
	bool known;
	int64_t differ; /* ns, if known: no clock differs by more from that of the first rank */
};

/* Finds what the operations of EXPERIMENT, whose ranks are on one time line, say of its clocks. */
struct prof_error *prof_mpi_clocks_find(
	const struct prof_experiment *experiment, struct prof_mpi_clocks *ret) PROF_MUST_CHECK;

#endif
