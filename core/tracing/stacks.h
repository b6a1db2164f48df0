/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stacks of the agent's events: the rows by which the agent walks them, and the stacks that it
 * reports.
 *
 * A stack has a number: that of its node, or one that was given here, if the agent has copied the
 * stack as it was in memory.
 */
#ifndef PROF_TRACING_STACKS_H
#define PROF_TRACING_STACKS_H

#include "target/unwind.h"

struct prof_maps;
struct prof_ring;
struct prof_stream_raw;

struct prof_stacks;

/* For the stacks in RING of process PID; reports at most DEPTH frames of each. */
struct prof_error *prof_stacks_create(
	struct prof_ring *ring, pid_t pid, size_t depth, struct prof_stacks **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_stacks_destroy(struct prof_stacks *stacks);

/*
 * The number of the stack RAW, which is walked; rows for all of it are put into the ring.
 * PROF_NODE_NONE: there is no memory for it.
 */
uint32_t prof_stacks_raw(struct prof_stacks *stacks, const struct prof_stream_raw *raw);

/*
 * The frames of the stack NUMBER as lookup addresses, the innermost first, in FRAMES, which has
 * room for as many as are reported.  Returns how many, and how the stack ended.
 */
size_t prof_stacks_frames(
	struct prof_stacks *stacks, uint32_t number, uint64_t *frames, enum prof_stack_end *end);

/*
 * Load objects have come or gone: rows of code that is no longer there, the same, are withdrawn.
 * Stacks keep their frames.
 */
void prof_stacks_flush(struct prof_stacks *stacks);

/* What is mapped, borrowed, and a number that changes with it: see prof_unwinder_maps(). */
const struct prof_maps *prof_stacks_maps(struct prof_stacks *stacks);
uint64_t prof_stacks_generation(const struct prof_stacks *stacks);

/* How the memory of the process is read; borrowed. */
const struct prof_target *prof_stacks_target(const struct prof_stacks *stacks);

#endif
