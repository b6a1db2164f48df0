/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work that takes as long on every CPU, but for the rate of its clock: each multiplication waits
 * for the one before.  Additions to memory do not all: some CPUs keep that place in a register, and
 * are done four times as fast.
 */
#ifndef PROF_TESTS_PROGRAMS_SPEND_H
#define PROF_TESTS_PROGRAMS_SPEND_H

/* Not static: what is spent has to be kept. */
unsigned long spent;

/* One turn, the number TURN, of a loop that does nothing else: some four cycles. */
#define SPEND(turn) (spent = spent * 6364136223846793005U + (unsigned long)(turn))

#endif
