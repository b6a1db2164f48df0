/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Ring rounds: how often the ticker empties the rings of threads.
 *
 * A round takes time on a CPU.  On a virtual machine with two CPUs, a thread that did nothing but
 * wake up 10,000 times a second made a program on the other CPU 2 % slower.  So at high rates
 * several samples wait in the ring for one round, and in a quiet time at usual rates, too.
 */
#ifndef PROF_SAMPLING_RING_ROUNDS_H
#define PROF_SAMPLING_RING_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The periods of PERIOD ns from one round to the next, at least 1, if rings have room for ROOM
 * samples.  It is QUIET if the threads compute: see quiet.h.
 */
int64_t prof_ring_rounds(uint32_t room, int64_t period, bool quiet);

#endif
