/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Blocking sends and receives in MPI_COMM_WORLD of a type that no program can free: the calls that
 * programs make most often.  They need no table of the agent, and are recorded at once, by one
 * record (PROF_RING_MESSAGE).
 *
 * Whatever is not so simple is left to prof_mpi_call(), or to prof_mpi_call_record() once the call
 * was made: an error, a message that was cancelled, a stack of which a row is missing.
 */
#ifndef PROF_AGENT_MPI_BLOCKING_H
#define PROF_AGENT_MPI_BLOCKING_H

#include "agent/mpi.h"

/*
 * A call of the hook WHAT, a blocking send or receive, with WORDS, its arguments, by the wrapper
 * with the frame FRAME: as prof_mpi_call().
 */
long prof_mpi_blocking_send(unsigned what, prof_mpi_word *words, void *frame);
long prof_mpi_blocking_receive(unsigned what, prof_mpi_word *words, void *frame);

/*
 * THREAD has made a call that was recorded: lets it record blocking calls at once from now on, if
 * all is known of the library and of the process that these need.
 */
void prof_mpi_blocking_learn(struct prof_agent_thread *thread);

#endif
