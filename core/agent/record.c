/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/record.h"

#include "agent/walk.h"

enum { RAW_WORDS = 5 }; /* size of the record of a raw stack, without the stack */

/* Gives THREAD a new chunk, which continues the one that is full. */
static bool add_chunk(struct prof_agent_thread *thread)
{
	struct prof_ring *ring = thread->session->ring;
	uint32_t number = prof_ring_take(ring);

	if (!number)
		return false;
	atomic_store_explicit(thread->chunk ? &thread->chunk->next : &thread->slot->first, number,
		memory_order_release);
	thread->chunk = &prof_ring_chunks(ring)[number - 1];
	thread->used = 0;
	return true;
}

uint64_t *prof_agent_record_more(struct prof_agent_thread *thread, size_t words)
{
	return add_chunk(thread) ? prof_agent_record_room(thread, words) : NULL;
}

void prof_agent_record_lose(struct prof_agent_thread *thread, unsigned number)
{
	_Atomic uint64_t *lost = &thread->slot->lost;

	atomic_store_explicit(lost, atomic_load_explicit(lost, memory_order_relaxed) + number,
		memory_order_relaxed);
}

static inline uint64_t *put(uint64_t *at, const struct prof_agent_record *record, uint32_t node)
{
	*at++ = prof_ring_word(
		record->kind, record->what, 1 + record->count + record->more_count, node);
	for (unsigned i = 0; i < record->count; i++)
		*at++ = record->values[i];
	for (unsigned i = 0; i < record->more_count; i++)
		*at++ = record->more[i];
	return at;
}

PROF_READS_STACK static uint64_t *put_raw(
	uint64_t *at, const struct prof_walk_start *start, size_t words)
{
	const prof_agent_word *stack = (const prof_agent_word *)start->sp;

	*at++ = prof_ring_word(PROF_RING_RAW, 0, (unsigned)(RAW_WORDS + words), PROF_NODE_NONE);
	*at++ = start->pc;
	*at++ = start->sp;
	*at++ = start->fp;
	*at++ = words * sizeof *at;
	for (size_t i = 0; i < words; i++)
		*at++ = stack[i];
	return at;
}

/* Without room for the record, do not spend time on the stack. */
static void write_records(struct prof_agent_thread *thread, const struct prof_agent_record *records,
	unsigned number, const void *frame)
{
	const struct prof_agent_record *last = &records[number - 1];
	uint32_t node = last->node;
	size_t words = 0, raw = 0;
	struct prof_walk_start start;

	for (const struct prof_agent_record *record = records; record <= last; record++)
		words += 1 + record->count + record->more_count;
	uint64_t *at = prof_agent_record_room(thread, words);
	if (at && frame) {
		start = prof_walk_start(frame);
		node = prof_walk(thread, &start);
		if (PROF_SELDOM(node == PROF_NODE_NONE)) {
			raw = prof_walk_known(thread, start.sp, PROF_RING_RAW_MOST) /
				sizeof(uint64_t);
			words += RAW_WORDS + raw;
			at = prof_agent_record_room(thread, words);
		}
	}
	if (PROF_SELDOM(!at)) {
		prof_agent_record_lose(thread, number);
		return;
	}
	for (const struct prof_agent_record *record = records; record < last; record++)
		at = put(at, record, record->node);
	if (PROF_SELDOM(node == PROF_NODE_NONE))
		at = put_raw(at, &start, raw);
	put(at, last, node);
	*at |= prof_ring_cpu(last->cpu);
	prof_agent_record_publish(thread, words, last->values[0]);
}

void prof_agent_record_write(struct prof_agent_thread *thread,
	const struct prof_agent_record *records, unsigned number, const void *frame)
{
	thread->writing = true;
	write_records(thread, records, number, frame);
	thread->writing = false;
}
