/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Eight threads (or as many as the first argument says) allocate and free, COUNT times each (the
 * second argument), from one of eight depths of a stack; every block with a number that 1,000
 * divides is left.  Prints how many were allocated and left, and their bytes.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define KEPT __attribute__((noinline))

static unsigned long count;

KEPT static void *dig(unsigned depth, size_t size)
{
	void *block;

	if (depth) {
		block = dig(depth - 1, size);
		__asm__ volatile("" ::: "memory");
		return block;
	}
	block = malloc(size);
	__asm__ volatile("" ::: "memory");
	return block;
}

static void *work(void *context)
{
	void *last = NULL;

	(void)context;
	for (unsigned long i = 1; i <= count; i++) {
		void *block = dig(i % 8, 16 + i % 100);
		/* Not the last one: blocks of several are there at a time. */
		free(last);
		last = i % 1000 ? block : NULL;
	}
	free(last);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long threads = argc > 1 ? strtoul(argv[1], NULL, 10) : 8;
	unsigned long bytes = 0, left = 0;
	pthread_t ids[64];

	count = argc > 2 ? strtoul(argv[2], NULL, 10) : 100000;
	for (unsigned long i = 0; i < threads && i < 64; i++)
		pthread_create(&ids[i], NULL, work, NULL);
	for (unsigned long i = 0; i < threads && i < 64; i++)
		pthread_join(ids[i], NULL);
	for (unsigned long i = 1; i <= count; i++) {
		bytes += 16 + i % 100;
		left += i % 1000 ? 0 : 16 + i % 100;
	}
	printf("allocated %lu of %lu bytes, left %lu of %lu bytes\n", threads * count,
		threads * bytes, threads * (count / 1000), threads * left);
	return 0;
}
