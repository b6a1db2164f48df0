/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where threads will go on when their signal handlers return: an instruction there must not be
 * replaced.  The kernel has put such an address on the stack, among the other registers.
 */
#ifndef PROF_PATCHING_INTERRUPTED_H
#define PROF_PATCHING_INTERRUPTED_H

#include "base/error.h"
#include "patching/occupied.h"
#include "target/target.h"

/* All zeroes is none.  Addresses are in no order; at some of them no thread may go on. */
struct prof_interrupted {
	PROF_ARRAY(uint64_t) items;
};

/* Frees what INTERRUPTED holds, and leaves it empty. */
void prof_interrupted_deinit(struct prof_interrupted *interrupted);

/*
 * Adds those of a thread that stands still with the stack pointer SP, in the memory TARGET, where
 * MAPPED lists what is mapped.  Stacks that the thread has switched away from by itself are not
 * searched, nor is what is more than 64 MB above.  NULL, or that there is no memory.
 */
struct prof_error *prof_interrupted_find(struct prof_interrupted *interrupted,
	const struct prof_target *target, const struct prof_occupied *mapped,
	uint64_t sp) PROF_MUST_CHECK;

#endif
