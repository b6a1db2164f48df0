/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Walks a thread's own stack by the rows in the ring.
 *
 * A frame is a program counter, a stack pointer and a frame pointer; its row leads to two places in
 * memory with those of the caller.  If a walk meets a frame of the last walk, and these two places
 * have not changed, the callers are the same, too: comparing them takes less time than looking rows
 * up.
 */
#ifndef PROF_AGENT_WALK_H
#define PROF_AGENT_WALK_H

#include "agent/thread.h"

/* The frame of a caller: its pc is a return address. */
struct prof_walk_start {
	uint64_t pc, sp, fp;
};

/* The caller of the function with the frame FRAME, which keeps a frame pointer. */
PROF_READS_STACK static inline struct prof_walk_start prof_walk_start(const void *frame)
{
	const prof_agent_word *words = frame;

	return (struct prof_walk_start){words[1], (uint64_t)(words + 2), words[0]};
}

/*
 * The node of the stack of THREAD, the one that calls, from START on.  PROF_NODE_NONE: a row that
 * it needs is missing, or there is no room for its nodes.
 */
uint32_t prof_walk(struct prof_agent_thread *thread, const struct prof_walk_start *start);

/*
 * The same for calls that are made from a few sites in turn, which are remembered: the innermost
 * frame is not looked up where its callers are those of the last time.
 */
uint32_t prof_walk_site(struct prof_agent_thread *thread, const struct prof_walk_start *start);

/* How many bytes of the stack of THREAD can be read from ADDRESS on; no more than MOST. */
size_t prof_walk_known(struct prof_agent_thread *thread, uintptr_t address, size_t most);

#endif
