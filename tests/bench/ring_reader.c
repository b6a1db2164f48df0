/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast a full ring is read: ring_reader THREADS STACKS.  Each thread has written pairs of an
 * allocation and its free, from one stack after the other; prints events in a second of CPU
 * time, and bytes of an event.
 */
#include "base/error.h"
#include "tracing/ring.h"
#include "tracing/stream.h"
#include "tracing/totals.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum {
	CHUNKS = 1024,
	ROUNDS = 20,
	LIVE = 1000 /* blocks of a thread, freed one after the other */
};

struct writer {
	struct prof_ring *ring;
	struct prof_ring_thread *slot;
	struct prof_ring_chunk *chunk;
	uint64_t written;
};

/* False: the ring is full. */
static bool put(struct writer *writer, const uint64_t *words, unsigned count)
{
	struct prof_ring_chunk *chunk = writer->chunk;

	if (!chunk || chunk->used + count * sizeof *words > sizeof chunk->data) {
		uint32_t next = prof_ring_take(writer->ring);
		if (!next)
			return false;
		if (chunk)
			chunk->next = next;
		else
			writer->slot->first = next;
		chunk = writer->chunk = &prof_ring_chunks(writer->ring)[next - 1];
	}
	unsigned char *at = chunk->data + chunk->used;
	for (unsigned i = 0; i < count; i++)
		((uint64_t *)(void *)at)[i] = words[i];
	chunk->used += count * (uint32_t)sizeof *words;
	return true;
}

static bool put_pair(struct writer *writer, uint32_t stacks, uint64_t base, uint64_t time)
{
	uint64_t number = writer->written++;
	uint64_t address = base + (number % LIVE + 1) * 64;
	const uint64_t freed[] = {prof_ring_word(PROF_RING_FREE, 1, 3, 0), time, address};
	const uint64_t made[] = {
		prof_ring_word(PROF_RING_ALLOC, 0, 4, 1 + (uint32_t)(number % stacks)), time + 1,
		address, 48};

	return (number < LIVE || put(writer, freed, 3)) && put(writer, made, 4);
}

/* Fills the ring, the threads by turns as if they ran side by side. */
static void fill(struct writer *writers, unsigned threads, uint32_t stacks, uint64_t *time)
{
	for (bool room = true; room;) {
		for (unsigned i = 0; i < threads && room; i++, *time += 2)
			room = put_pair(&writers[i], stacks, (uint64_t)(i + 1) << 32, *time);
	}
}

static int64_t cpu_time(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

int main(int argc, char **argv)
{
	unsigned threads = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
	uint32_t stacks = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 100;
	size_t size = prof_ring_size(CHUNKS);
	struct prof_ring *ring = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct writer *writers = calloc(threads + 1, sizeof *writers);
	struct prof_streams streams;
	struct prof_totals totals = {0};
	uint64_t time = 1;
	int64_t spent = 0;

	if (ring == MAP_FAILED || !writers || !threads || threads > PROF_RING_THREADS || !stacks)
		return 2;
	*ring = (struct prof_ring){
		.magic = PROF_RING_MAGIC, .version = PROF_RING_VERSION, .chunks = CHUNKS};
	AUTO_ERROR struct prof_error *error = prof_streams_init(&streams, ring, size);
	if (error)
		return 2;
	for (unsigned i = 0; i < threads; i++) {
		writers[i] = (struct writer){.ring = ring, .slot = &prof_ring_threads(ring)[i]};
		writers[i].slot->id = i + 1;
		writers[i].slot->state = PROF_RING_THREAD_USED;
		ring->claimed++;
	}
	for (int i = 0; i < ROUNDS; i++) {
		fill(writers, threads, stacks, &time);
		int64_t begin = cpu_time();
		struct prof_stream *stream;
		prof_streams_look(&streams, time);
		while ((stream = prof_streams_first(&streams, UINT64_MAX))) {
			prof_totals_add(&totals, stream, stream->next.node);
			prof_streams_advance(&streams);
		}
		spent += cpu_time() - begin;
	}
	printf("%.1f million events/s, %.1f bytes each\n",
		(double)streams.records * 1e3 / (double)spent,
		(double)streams.bytes / (double)streams.records);
	prof_totals_deinit(&totals);
	prof_streams_deinit(&streams);
	free(writers);
	return 0;
}
