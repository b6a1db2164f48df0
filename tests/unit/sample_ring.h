/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring as the agent would make it, and threads that write to it, for the tests of who reads it.
 */
#ifndef PROF_TESTS_SAMPLE_RING_H
#define PROF_TESTS_SAMPLE_RING_H

#include "tracing/ring.h"

#include "suite.h"

#include <string.h>
#include <sys/mman.h>

struct ring {
	struct prof_ring *head;
	size_t size;
};

/* A thread that writes. */
struct writer {
	struct ring *ring;
	struct prof_ring_thread *slot;
	uint32_t chunk; /* plus 1 */
};

static inline void ring_open(struct ring *ring, uint32_t chunks)
{
	ring->size = prof_ring_size(chunks);
	ring->head = mmap(NULL, ring->size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ck_assert(ring->head != MAP_FAILED);
	ring->head->magic = PROF_RING_MAGIC;
	ring->head->version = PROF_RING_VERSION;
	ring->head->chunks = chunks;
	ring->head->families = PROF_FAMILY_HEAP;
}

static inline void ring_close(struct ring *ring)
{
	munmap(ring->head, ring->size);
}

static inline struct writer ring_thread(struct ring *ring, uint32_t slot, uint32_t id)
{
	struct writer writer = {ring, &prof_ring_threads(ring->head)[slot], 0};

	writer.chunk = prof_ring_take(ring->head);
	writer.slot->first = writer.chunk;
	ck_assert(writer.chunk);
	writer.slot->id = id;
	writer.slot->state = PROF_RING_THREAD_USED;
	ring->head->claimed++;
	return writer;
}

static inline struct prof_ring_chunk *ring_chunk(const struct writer *writer)
{
	return &prof_ring_chunks(writer->ring->head)[writer->chunk - 1];
}

/* Writes WORDS of 8 bytes as they are; false, and lost, where there is no room. */
static inline bool ring_put(struct writer *writer, const uint64_t *words, unsigned count)
{
	struct prof_ring_chunk *chunk = ring_chunk(writer);

	if (chunk->used + count * 8 > sizeof chunk->data) {
		uint32_t next = prof_ring_take(writer->ring->head);
		if (!next) {
			writer->slot->lost++;
			return false;
		}
		chunk->next = next;
		writer->chunk = next;
		chunk = ring_chunk(writer);
	}
	memcpy(chunk->data + chunk->used, words, count * 8);
	atomic_fetch_add_explicit(&chunk->used, count * 8, memory_order_release);
	return true;
}

/* A record of KIND by hook WHAT with NODE and the COUNT values. */
static inline bool ring_record(struct writer *writer, enum prof_ring_kind kind, unsigned what,
	uint32_t node, const uint64_t *values, unsigned count)
{
	uint64_t words[16] = {prof_ring_word(kind, what, count + 1, node)};

	memcpy(words + 1, values, count * sizeof *values);
	return ring_put(writer, words, count + 1);
}

#define RING_RECORD(writer, kind, what, node, ...)                             \
	ring_record(writer, kind, what, node, (const uint64_t[]){__VA_ARGS__}, \
		sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static inline void ring_alloc(
	struct writer *writer, uint32_t node, uint64_t time, uint64_t address, uint64_t size)
{
	RING_RECORD(writer, PROF_RING_ALLOC, 0, node, time, address, size);
}

static inline void ring_free(struct writer *writer, uint64_t time, uint64_t address)
{
	RING_RECORD(writer, PROF_RING_FREE, 1, 0, time, address);
}

/* Makes a row for each of COUNT lookup addresses PCS, the innermost first, and their node. */
static inline uint32_t ring_stack(struct ring *ring, const uint64_t *pcs, size_t count)
{
	struct prof_row *rows = prof_ring_rows(ring->head);
	uint32_t node = PROF_NODE_EMPTY;

	for (size_t i = count; i-- > 0;) {
		uint32_t row = prof_rows_find(rows, pcs[i]);
		ck_assert_uint_ne(row, PROF_ROW_NONE);
		node = prof_nodes_intern(prof_ring_nodes(ring->head), node, row);
	}
	return node;
}

#endif
