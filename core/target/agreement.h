/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How far two ways to walk the same stacks agree. */
#ifndef PROF_TARGET_AGREEMENT_H
#define PROF_TARGET_AGREEMENT_H

#include <stddef.h>
#include <stdint.h>

/* All zeroes at first. */
struct prof_agreement {
	uint64_t stacks, equal_stacks; /* that were compared, and that were equal */
	uint64_t frames, equal_frames;
};

/* Lookup addresses as prof_unwinder_walk() makes them, the innermost first. */
struct prof_agreement_stack {
	const uint64_t *frames; /* borrowed */
	size_t depth;           /* number of frames */
};

/* The index of the innermost unequal frame; the depth of one that ends before there is any. */
size_t prof_agreement_find(
	const struct prof_agreement_stack *own, const struct prof_agreement_stack *other);

/*
 * Counts one stack as it was walked both ways.  Of a difference only those frames count as unequal
 * that are neither inside nor outside of what differs.  Returns the index of the first unequal
 * frame (one of the stacks may end before it), or the larger depth if there is none.
 */
size_t prof_agreement_add(struct prof_agreement *agreement, const struct prof_agreement_stack *own,
	const struct prof_agreement_stack *other);

#endif
