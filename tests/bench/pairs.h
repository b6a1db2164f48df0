/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocations as fast as possible: pairs of malloc() and free() below calls of a function that
 * calls itself, with a frame pointer or without, in several threads.
 */
#ifndef PROF_TESTS_PAIRS_H
#define PROF_TESTS_PAIRS_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pairs {
	unsigned depth;   /* calls of the function below each other */
	unsigned again;   /* that many of them are made anew for each pair */
	unsigned threads; /* each does */
	unsigned long count;
	int pointer; /* the function has a frame pointer */
};

typedef unsigned long descend_function(const struct pairs *pairs, unsigned left);

static descend_function *volatile descends[2];

/* The loops are in the function itself, so that all of its frames are alike. */
#define DESCEND(name, options)                                                        \
	__attribute__((noinline, optimize(options))) static unsigned long name(       \
		const struct pairs *pairs, unsigned left)                             \
	{                                                                             \
		unsigned long sum = 0;                                                \
		unsigned long times = left == pairs->again ? pairs->count : 1;        \
		for (unsigned long i = 0; i < times; i++) {                           \
			if (left) {                                                   \
				sum += descends[pairs->pointer](pairs, left - 1) & 1; \
			} else {                                                      \
				void *volatile block = malloc(16 + i % 64);           \
				sum += block != NULL;                                 \
				free(block);                                          \
			}                                                             \
		}                                                                     \
		return sum + 1;                                                       \
	}

DESCEND(descend_plain, "omit-frame-pointer")
DESCEND(descend_pointer, "no-omit-frame-pointer")

static descend_function *volatile descends[2] = {descend_plain, descend_pointer};

__attribute__((noinline)) static void *run_pairs(void *context)
{
	const struct pairs *pairs = context;

	if (!descends[pairs->pointer](pairs, pairs->depth - 1))
		abort();
	return NULL;
}

/* The ns that one of PAIRS takes a thread. */
static double time_pairs(struct pairs *pairs)
{
	pthread_t threads[64];
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	for (unsigned i = 0; i < pairs->threads; i++)
		if (pthread_create(&threads[i], NULL, run_pairs, pairs))
			abort();
	for (unsigned i = 0; i < pairs->threads; i++)
		pthread_join(threads[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) /
		(double)pairs->count;
}

/* DEPTH AGAIN THREADS COUNT plain|pointer */
static struct pairs read_pairs(int count, char **words)
{
	if (count != 6) {
		fprintf(stderr, "usage: %s DEPTH AGAIN THREADS COUNT plain|pointer\n", words[0]);
		exit(2);
	}
	return (struct pairs){.depth = (unsigned)atoi(words[1]),
		.again = (unsigned)atoi(words[2]),
		.threads = (unsigned)atoi(words[3]),
		.count = (unsigned long)atol(words[4]),
		.pointer = !strcmp(words[5], "pointer")};
}

#endif
