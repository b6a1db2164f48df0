/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records: what a thread writes to its chunks of the ring. */
#ifndef PROF_AGENT_RECORD_H
#define PROF_AGENT_RECORD_H

#include "agent/thread.h"

enum { PROF_AGENT_RECORD_VALUES = 4 };

struct prof_agent_record {
	enum prof_ring_kind kind;
	unsigned what;                             /* the hook */
	unsigned cpu;                              /* of the time stamp */
	unsigned count;                            /* of VALUES */
	uint64_t values[PROF_AGENT_RECORD_VALUES]; /* the first COUNT; the very first is a time
						      stamp */
	/* Behind them, MORE_COUNT of these. */
	const uint64_t *more;
	unsigned more_count;
	uint32_t node; /* of its stack, if no stack is walked for it */
};

/*
 * Begins what prof_agent_record_end() ends: the records that THREAD writes in between are of a time
 * after this call, and not earlier than those that it has written before.
 */
static inline void prof_agent_record_begin(struct prof_agent_thread *thread)
{
	atomic_store_explicit(&thread->slot->busy, thread->last, memory_order_release);
}

/* Raises that bound: they will not be earlier than TIME either. */
static inline void prof_agent_record_since(struct prof_agent_thread *thread, uint64_t time)
{
	atomic_store_explicit(&thread->slot->busy, time, memory_order_release);
}

/* THREAD writes no more for now. */
static inline void prof_agent_record_end(struct prof_agent_thread *thread)
{
	atomic_store_explicit(&thread->slot->busy, 0, memory_order_release);
}

/* Like prof_agent_record_room() where the chunk of THREAD has no more room. */
uint64_t *prof_agent_record_more(struct prof_agent_thread *thread, size_t words);

/* Where THREAD can write WORDS.  NULL: there is no room. */
static inline uint64_t *prof_agent_record_room(struct prof_agent_thread *thread, size_t words)
{
	struct prof_ring_chunk *chunk = thread->chunk;

	if (PROF_SELDOM(!chunk || thread->used + words * sizeof(uint64_t) > sizeof chunk->data))
		return prof_agent_record_more(thread, words);
	return (uint64_t *)(void *)(chunk->data + thread->used);
}

/* THREAD has written WORDS there, whose last record has TIME: they become visible at once. */
static inline void prof_agent_record_publish(
	struct prof_agent_thread *thread, size_t words, uint64_t time)
{
	thread->used += (uint32_t)(words * sizeof(uint64_t));
	thread->last = time;
	atomic_store_explicit(&thread->chunk->used, thread->used, memory_order_release);
}

/* Counts NUMBER records of THREAD as lost. */
void prof_agent_record_lose(struct prof_agent_thread *thread, unsigned number);

/*
 * Writes RECORDS, NUMBER of them in the order of their times, which become visible at once.  The
 * last has the stack of the caller of the wrapper with the frame FRAME; NULL: no stack is walked.
 * Where there is no room, they are counted as lost.
 */
void prof_agent_record_write(struct prof_agent_thread *thread,
	const struct prof_agent_record *records, unsigned number, const void *frame);

#endif
