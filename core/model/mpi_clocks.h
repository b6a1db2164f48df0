/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How far the clocks of the hosts of an MPI job differ, as its own messages show: none arrives
 * before it was sent, and nobody leaves a barrier before all have come.
 *
 * Messages in both directions bound the difference from both sides.  Agents add messages of their
 * own only if the user asks for a handshake, because that hangs where one rank is not traced
 * (doc/explanation/tracing.md).
 */
#ifndef PROF_MODEL_MPI_CLOCKS_H
#define PROF_MODEL_MPI_CLOCKS_H

#include "base/memory.h"
#include "model/clock_offsets.h"

struct prof_experiment;

struct prof_mpi_clock {
	char *kernel; /* the boot ID of its machine, owned */
	struct prof_clock_offset offset;
};

/* All zeroes is none. */
struct prof_mpi_clocks {
	PROF_ARRAY(struct prof_mpi_clock) items; /* the clock of the first rank comes first */
	size_t bounded; /* how many others messages to and from the first one bound */
	int64_t differ; /* ns: none of these differs by more from the first one */
	/* ns: where it is not 0, the clocks have run at different speeds, and messages arrive up to
	 * this before they were sent, however the clocks are moved. */
	int64_t early;
};

/* Finds what the operations of EXPERIMENT, whose ranks are on one time line, say of its clocks. */
struct prof_error *prof_mpi_clocks_find(
	const struct prof_experiment *experiment, struct prof_mpi_clocks *ret) PROF_MUST_CHECK;
void prof_mpi_clocks_deinit(struct prof_mpi_clocks *clocks);
#define AUTO_MPI_CLOCKS PROF_AUTO(prof_mpi_clocks_deinit)

/* Is any of the clocks to be moved? */
bool prof_mpi_clocks_differ(const struct prof_mpi_clocks *clocks);

/*
 * Moves the clock of EXPERIMENT, which is to be merged with others, by what CLOCKS say of it.
 * Experiments whose ranks have several clocks stay as they are.
 */
void prof_mpi_clocks_correct(
	const struct prof_mpi_clocks *clocks, struct prof_experiment *experiment);

#endif
