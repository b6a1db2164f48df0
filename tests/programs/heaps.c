/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that allocate and free as fast as they can, and look after what they have:
 *
 *	heaps THREADS ROUNDS
 *
 * It prints "right", and how much was allocated, if every block was as it was left.  SIGTERM ends
 * it before it has done all ROUNDS.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 64, LARGEST = 4000, THREADS = 64 };

struct block {
	unsigned char *bytes;
	size_t size;
	unsigned char fill;
};

struct worker {
	struct block blocks[BLOCKS];
	uint64_t state;
	unsigned long long allocated;
	long rounds;
};

static atomic_int wrong;
static volatile sig_atomic_t over;

static void end(int number)
{
	over = number;
}

static unsigned pick(struct worker *worker, unsigned below)
{
	worker->state = worker->state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(worker->state >> 33) % below;
}

static void check(const struct block *block)
{
	for (size_t i = 0; i < block->size; i += 97)
		wrong += block->bytes[i] != block->fill;
	if (block->size)
		wrong += block->bytes[block->size - 1] != block->fill;
}

__attribute__((noinline)) static void drop(struct block *block)
{
	check(block);
	free(block->bytes);
	*block = (struct block){0};
}

__attribute__((noinline)) static void grab(struct worker *worker, struct block *block)
{
	block->size = 1 + pick(worker, LARGEST);
	block->fill = (unsigned char)pick(worker, 256);
	block->bytes = malloc(block->size);
	memset(block->bytes, block->fill, block->size);
	worker->allocated += block->size;
}

__attribute__((noinline)) static void grow(struct worker *worker, struct block *block)
{
	size_t size = block->size + 1 + pick(worker, LARGEST);

	check(block);
	block->bytes = realloc(block->bytes, size);
	memset(block->bytes, block->fill, size);
	block->size = size;
	worker->allocated += size;
}

static void *work(void *context)
{
	struct worker *worker = context;

	for (long i = 0; i < worker->rounds && !over; i++) {
		struct block *block = &worker->blocks[pick(worker, BLOCKS)];
		if (!block->bytes)
			grab(worker, block);
		else if (pick(worker, 4))
			drop(block);
		else
			grow(worker, block);
	}
	for (int i = 0; i < BLOCKS; i++) {
		if (worker->blocks[i].bytes)
			drop(&worker->blocks[i]);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	int first = argc > 3 ? 0 : 1; /* the first thread only waits for the others, or works too */
	long rounds = argc > 2 ? atol(argv[2]) : 100000;
	static struct worker workers[THREADS];
	static pthread_t threads[THREADS];
	unsigned long long allocated = 0;

	if (count < 1 || count > THREADS)
		return 2;
	signal(SIGTERM, end);
	for (int i = 0; i < count; i++)
		workers[i] = (struct worker){.state = (uint64_t)i + 1, .rounds = rounds};
	/* One of one is the program itself: the heap then knows of no threads. */
	for (int i = first; i < count; i++)
		pthread_create(&threads[i], NULL, work, &workers[i]);
	if (first)
		work(&workers[0]);
	for (int i = first; i < count; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < count; i++)
		allocated += workers[i].allocated;
	printf("%s %llu\n", wrong ? "wrong" : "right", allocated);
	return wrong != 0;
}
