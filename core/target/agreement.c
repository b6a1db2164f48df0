/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/agreement.h"

/*
 * At the first byte of a function that a stack was made to return to, the two walks may differ by
 * one: that byte, or the one before it.
 */
static int is_equal(uint64_t a, uint64_t b)
{
	return a == b || a + 1 == b || b + 1 == a;
}

size_t prof_agreement_find(
	const struct prof_agreement_stack *own, const struct prof_agreement_stack *other)
{
	size_t least = own->depth < other->depth ? own->depth : other->depth;
	size_t inside = 0;

	while (inside < least && is_equal(own->frames[inside], other->frames[inside]))
		inside++;
	return inside;
}

size_t prof_agreement_add(struct prof_agreement *agreement, const struct prof_agreement_stack *own,
	const struct prof_agreement_stack *other)
{
	size_t least = own->depth < other->depth ? own->depth : other->depth;
	size_t most = own->depth < other->depth ? other->depth : own->depth;
	size_t inside = prof_agreement_find(own, other);
	size_t outside = 0;

	while (outside < least - inside &&
		is_equal(own->frames[own->depth - 1 - outside],
			other->frames[other->depth - 1 - outside]))
		outside++;
	agreement->stacks++;
	agreement->equal_stacks += inside == most;
	agreement->frames += most;
	agreement->equal_frames += inside + outside;
	return inside;
}
