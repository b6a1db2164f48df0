/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/stream.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD = sizeof(uint64_t), DATA = PROF_RING_CHUNK - 64 };

_Static_assert(sizeof(struct prof_ring_chunk) == PROF_RING_CHUNK, "a chunk's head is 64 bytes");

/* The ring is being written while it is read: the compiler may repeat a plain read. */
static uint64_t read_word(const unsigned char *at)
{
	return *(const volatile uint64_t *)(const void *)at;
}

static uint32_t read_half(const uint32_t *at)
{
	return *(const volatile uint32_t *)at;
}

struct prof_error *prof_streams_init(struct prof_streams *streams, void *memory, size_t size)
{
	struct prof_ring *ring = memory;

	*streams = (struct prof_streams){.ring = ring};
	if (size < prof_ring_size(1) || ring->magic != PROF_RING_MAGIC ||
		ring->version != PROF_RING_VERSION)
		return prof_error_create(PROF_ERROR_DAMAGED,
			"The agent's ring is not one of version %d: it is too short, or its header is wrong.",
			PROF_RING_VERSION);
	streams->chunks = read_half(&ring->chunks);
	if (!streams->chunks || streams->chunks > (size - prof_ring_size(0)) / PROF_RING_CHUNK)
		return prof_error_create(PROF_ERROR_DAMAGED,
			"The agent's ring is damaged: its size does not fit %u chunks.",
			streams->chunks);
	streams->held = calloc(streams->chunks, 1);
	streams->slots = calloc(PROF_RING_THREADS, sizeof *streams->slots);
	if (streams->held && streams->slots)
		return NULL;
	prof_streams_deinit(streams);
	return prof_error_nomem();
}

static void destroy(struct prof_stream *stream)
{
	free(stream->raw.bytes);
	free(stream);
}

void prof_streams_deinit(struct prof_streams *streams)
{
	for (size_t i = 0; i < streams->list.count; i++)
		destroy(streams->list.items[i]);
	free(streams->list.items);
	free(streams->gone.items);
	free(streams->unused.items);
	free(streams->heap.items);
	free(streams->held);
	free(streams->slots);
	*streams = (struct prof_streams){0};
}

static bool damage(struct prof_streams *streams, struct prof_stream *stream, const char *what)
{
	stream->damaged = true;
	if (!streams->damage)
		streams->damage = what;
	return false;
}

/* Continues STREAM at CHUNK, a number plus 1. */
static bool enter(struct prof_streams *streams, struct prof_stream *stream, uint32_t chunk)
{
	if (chunk > streams->chunks)
		return damage(streams, stream, "a chunk is outside the ring");
	if (streams->held[chunk - 1])
		return damage(streams, stream, "two threads write to the same chunk");
	streams->held[chunk - 1] = 1;
	stream->chunk = chunk;
	stream->at = stream->used = 0;
	return true;
}

static void leave(struct prof_streams *streams, struct prof_stream *stream)
{
	streams->held[stream->chunk - 1] = 0;
	prof_ring_give(streams->ring, stream->chunk);
	stream->chunk = 0;
	stream->at = stream->used = 0;
}

/*
 * Goes to the chunk with more records.  Returns its data, and its size in *USED; NULL: there is no
 * more now.
 */
static const unsigned char *find_data(
	struct prof_streams *streams, struct prof_stream *stream, uint32_t *used)
{
	struct prof_ring_thread *slot = &prof_ring_threads(streams->ring)[stream->slot];

	*used = stream->used;
	if (stream->at < *used)
		return prof_ring_chunks(streams->ring)[stream->chunk - 1].data;
	if (!stream->chunk) {
		uint32_t first = atomic_load_explicit(&slot->first, memory_order_acquire);
		if (!first || !enter(streams, stream, first))
			return NULL;
	}
	for (;;) {
		struct prof_ring_chunk *chunk = &prof_ring_chunks(streams->ring)[stream->chunk - 1];
		/* Read NEXT first: a thread that has gone on to it has completed this chunk. */
		uint32_t next = atomic_load_explicit(&chunk->next, memory_order_acquire);
		*used = atomic_load_explicit(&chunk->used, memory_order_acquire);
		if (*used > DATA || *used % WORD || *used < stream->at) {
			damage(streams, stream, "a chunk holds more than there is room for");
			return NULL;
		}
		stream->used = *used;
		if (stream->at < *used)
			return chunk->data;
		if (!next)
			return NULL;
		leave(streams, stream);
		if (!enter(streams, stream, next))
			return NULL;
	}
}

/* The least number of values in a record of each kind. */
static const uint8_t least_values[] = {
	[PROF_RING_RAW] = 4,
	[PROF_RING_ALLOC] = 3,
	[PROF_RING_FREE] = 2,
	[PROF_RING_MAP] = 3,
	[PROF_RING_UNMAP] = 3,
	[PROF_RING_WAIT] = 4,
	[PROF_RING_CALL] = 2,
	[PROF_RING_MPI] = 8,
	[PROF_RING_OPERATION] = 7,
	[PROF_RING_MESSAGE] = 5,
	[PROF_RING_OMP] = 3,
};

static bool read_raw(struct prof_streams *streams, struct prof_stream *stream,
	const unsigned char *bytes, unsigned words)
{
	struct prof_stream_raw *raw = &stream->raw;
	uint64_t length = read_word(bytes + 3 * WORD);

	if (length > PROF_RING_RAW_MOST || length > (words - 4) * (uint64_t)WORD)
		return damage(streams, stream, "a stack is longer than its record");
	if (!raw->bytes)
		raw->bytes = malloc(PROF_RING_RAW_MOST);
	if (!raw->bytes)
		return true; /* a record without a stack */
	raw->pc = read_word(bytes);
	raw->sp = read_word(bytes + WORD);
	raw->fp = read_word(bytes + 2 * WORD);
	raw->length = length;
	memcpy(raw->bytes, bytes + 4 * WORD, length);
	return true;
}

static void copy_record(struct prof_stream *stream, uint64_t head, const unsigned char *bytes)
{
	struct prof_stream_record *next = &stream->next;
	unsigned count = (head >> 16 & 0xffff) - 2;

	next->kind = (enum prof_ring_kind)prof_ring_kind_of(head);
	next->what = (uint16_t)prof_ring_what_of(head);
	next->node = head >> 32 & PROF_RING_NODE;
	if (next->node == PROF_RING_NODE)
		next->node = PROF_NODE_NONE;
	next->cpu = (uint16_t)(head >> 54);
	next->time = read_word(bytes);
	next->count = count < PROF_STREAM_VALUES ? count : PROF_STREAM_VALUES;
	for (unsigned i = 0; i < next->count; i++)
		next->values[i] = read_word(bytes + (i + 1) * WORD);
	stream->waiting = true;
}

/* Reads on until STREAM's next record is complete, or there are no more. */
static void read_next(struct prof_streams *streams, struct prof_stream *stream)
{
	uint32_t used;

	stream->waiting = false;
	while (!stream->waiting && !stream->damaged) {
		const unsigned char *data = find_data(streams, stream, &used);
		if (!data)
			return;
		const unsigned char *bytes = data + stream->at;
		uint64_t head = read_word(bytes);
		unsigned kind = prof_ring_kind_of(head);
		unsigned words = head >> 16 & 0xffff;
		if (kind < PROF_RING_RAW || kind >= PROF_RING_KINDS) {
			damage(streams, stream, "a record has an unknown kind");
			return;
		}
		if (words < 1u + least_values[kind] || words * (uint64_t)WORD > used - stream->at) {
			damage(streams, stream, "a record has a wrong length");
			return;
		}
		if (kind != PROF_RING_RAW)
			copy_record(stream, head, bytes + WORD);
		else if (!read_raw(streams, stream, bytes + WORD, words - 1))
			return;
		stream->at += words * WORD;
		streams->bytes += words * WORD;
	}
}

static bool is_earlier(const struct prof_stream *left, const struct prof_stream *right)
{
	return left->next.time < right->next.time;
}

/* Moves the stream at INDEX of the heap down to its place. */
static void sink(struct prof_streams *streams, size_t index)
{
	struct prof_stream **heap = streams->heap.items;
	size_t count = streams->heap.count;
	struct prof_stream *moved = heap[index];

	for (;;) {
		size_t child = 2 * index + 1;
		if (child >= count)
			break;
		if (child + 1 < count && is_earlier(heap[child + 1], heap[child]))
			child++;
		if (!is_earlier(heap[child], moved))
			break;
		heap[index] = heap[child];
		index = child;
	}
	heap[index] = moved;
}

/* add() has reserved the room. */
static void insert(struct prof_streams *streams, struct prof_stream *stream)
{
	struct prof_stream **heap = streams->heap.items;
	size_t index = streams->heap.count++;

	while (index && is_earlier(stream, heap[(index - 1) / 2])) {
		heap[index] = heap[(index - 1) / 2];
		index = (index - 1) / 2;
	}
	heap[index] = stream;
}

/* The kernel has given ID to a new thread, so the old one has ended. */
static void end_earlier(struct prof_streams *streams, int64_t id)
{
	for (size_t i = 0; i < streams->list.count; i++)
		streams->list.items[i]->ended |= streams->list.items[i]->id == id;
}

/* Each list of numbers has room for all streams, and one more. */
static bool reserve_numbers(struct prof_streams *streams)
{
	size_t count = (size_t)streams->threads + 1;

	return prof_array_reserve(&streams->gone, count - streams->gone.count) &&
		prof_array_reserve(&streams->unused, count - streams->unused.count);
}

/* A thread has taken SLOT.  False: there is no memory. */
static bool add(struct prof_streams *streams, uint32_t slot)
{
	size_t waiting = streams->list.count - streams->heap.count;

	if (!prof_array_reserve(&streams->list, 1) ||
		!prof_array_reserve(&streams->heap, waiting + 1) || !reserve_numbers(streams))
		return false;
	struct prof_stream *stream = calloc(1, sizeof *stream);
	if (!stream)
		return false;
	stream->number = streams->unused.count ? streams->unused.items[--streams->unused.count]
					       : streams->threads++;
	stream->slot = slot;
	stream->id = read_half(&prof_ring_threads(streams->ring)[slot].id);
	stream->checked = prof_clock();
	end_earlier(streams, stream->id);
	streams->list.items[streams->list.count++] = stream;
	streams->slots[slot] = stream;
	return true;
}

/*
 * Looks at all slots if a thread has taken one since the last time: their memory would displace
 * the program's in the caches.  What there is no memory for is found again.
 */
static void find_threads(struct prof_streams *streams)
{
	struct prof_ring_thread *slots = prof_ring_threads(streams->ring);
	uint64_t claimed = atomic_load_explicit(&streams->ring->claimed, memory_order_acquire);
	bool all = true;

	if (claimed == streams->claimed)
		return;
	for (uint32_t i = 0; i < PROF_RING_THREADS; i++) {
		if (!streams->slots[i] &&
			atomic_load_explicit(&slots[i].state, memory_order_acquire) ==
				PROF_RING_THREAD_USED)
			all &= add(streams, i);
	}
	if (all)
		streams->claimed = claimed;
}

/* Adds the growth of COUNTER of the ring since *LAST. */
static void count_lost(
	struct prof_streams *streams, const _Atomic uint64_t *counter, uint64_t *last)
{
	uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);

	streams->lost += now - *last;
	*last = now;
}

uint64_t prof_streams_look(struct prof_streams *streams, uint64_t now)
{
	uint64_t limit = now;

	find_threads(streams);
	/* Read these before the records: all records up to LIMIT are then complete. */
	for (size_t i = 0; i < streams->list.count; i++) {
		struct prof_stream *stream = streams->list.items[i];
		struct prof_ring_thread *slot = &prof_ring_threads(streams->ring)[stream->slot];
		uint64_t busy = atomic_load_explicit(&slot->busy, memory_order_acquire);
		if (busy && busy < limit && !stream->damaged)
			limit = busy;
		count_lost(streams, &slot->lost, &stream->lost);
	}
	count_lost(streams, &streams->ring->homeless, &streams->homeless);
	for (size_t i = 0; i < streams->list.count; i++) {
		struct prof_stream *stream = streams->list.items[i];
		if (stream->waiting)
			continue;
		read_next(streams, stream);
		if (stream->waiting)
			insert(streams, stream);
	}
	return limit;
}

struct prof_stream *prof_streams_first(struct prof_streams *streams, uint64_t limit)
{
	if (!streams->heap.count || streams->heap.items[0]->next.time > limit)
		return NULL;
	return streams->heap.items[0];
}

void prof_streams_advance(struct prof_streams *streams)
{
	struct prof_stream *stream = streams->heap.items[0];

	/* An operation is part of the call whose record follows. */
	streams->records += stream->next.kind != PROF_RING_OPERATION;
	stream->raw.length = 0;
	read_next(streams, stream);
	if (!stream->waiting)
		streams->heap.items[0] = streams->heap.items[--streams->heap.count];
	if (streams->heap.count)
		sink(streams, 0);
}

static bool is_gone(pid_t pid, int64_t id)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%lld", (int)pid, (long long)id);
	return access(path, F_OK) != 0;
}

/* Gives back STREAM's chunks in the ring: its thread has ended, and it has no more records. */
static void free_slot(struct prof_streams *streams, struct prof_stream *stream)
{
	struct prof_ring_thread *slot = &prof_ring_threads(streams->ring)[stream->slot];

	count_lost(streams, &slot->lost, &stream->lost);
	if (stream->chunk)
		leave(streams, stream);
	slot->id = 0;
	atomic_store_explicit(&slot->first, 0, memory_order_relaxed);
	atomic_store_explicit(&slot->busy, 0, memory_order_relaxed);
	atomic_store_explicit(&slot->lost, 0, memory_order_relaxed);
	atomic_store_explicit(&slot->state, PROF_RING_THREAD_FREE, memory_order_release);
	streams->slots[stream->slot] = NULL;
}

void prof_streams_reap(struct prof_streams *streams, pid_t pid, int64_t interval)
{
	int64_t now = prof_clock();
	size_t left = 0;

	for (size_t i = 0; i < streams->list.count; i++) {
		struct prof_stream *stream = streams->list.items[i];
		streams->list.items[left++] = stream;
		if (stream->waiting || stream->damaged || now - stream->checked < interval)
			continue;
		stream->checked = now;
		if (!stream->ended && !is_gone(pid, stream->id))
			continue;
		/* It may have written its last records since the last look. */
		read_next(streams, stream);
		if (stream->waiting) {
			insert(streams, stream);
		} else if (!stream->damaged) {
			free_slot(streams, stream);
			streams->gone.items[streams->gone.count++] = stream->number;
			destroy(stream);
			left--;
		}
	}
	streams->list.count = left;
}

void prof_streams_release(struct prof_streams *streams, size_t index)
{
	streams->unused.items[streams->unused.count++] = streams->gone.items[index];
	streams->gone.items[index] = streams->gone.items[--streams->gone.count];
}
