/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Quiet: the threads compute, or sleep on, so that looks at them would find nothing new.
 *
 * Where the kernel samples CPUs, the ticker empties the rings, and looks at threads only to see
 * what they wait for.  Each round takes a CPU from the program.  A server that used all CPUs lost 2
 * % of its throughput to 100 rounds a second.  So in a quiet time the ticker has a round every 40
 * ms.  Rings of threads have less room: see ring_rounds.h.
 */
#ifndef PROF_SAMPLING_QUIET_H
#define PROF_SAMPLING_QUIET_H

#include <stdbool.h>
#include <stdint.h>

/* All zeroes at the beginning. */
struct prof_quiet {
	uint32_t rounds; /* since the last wait */
	int64_t looked;  /* ns that threads which did not sleep on were looked at for */
	int64_t idle;    /* of these, ns without a CPU that they did not want */
};

/* Begins anew, not quiet. */
void prof_quiet_restart(struct prof_quiet *quiet);

/*
 * Counts a thread that did not sleep for all of the last ELAPSED ns.  By the kernel's account it
 * was on a CPU, or waited for one, for BUSY ns.  The kernel accounts a wait for a CPU as it ends,
 * so a thread that is RUNNABLE now may have waited for all the rest.  Returns the ns that stay
 * undecided for that reason, at most half a second: the next ELAPSED begins before them.
 */
int64_t prof_quiet_look(struct prof_quiet *quiet, int64_t elapsed, int64_t busy, bool runnable);

/* Ends a round.  Returns the periods of PERIOD ns until the next, at least 1. */
int64_t prof_quiet_end_round(struct prof_quiet *quiet, int64_t period);

#endif
