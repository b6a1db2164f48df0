/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks taken and released as fast as possible: a mutex that all threads share, or one each. */
#ifndef PROF_TESTS_LOCKS_H
#define PROF_TESTS_LOCKS_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOCKERS = 64 };

static struct locks {
	unsigned threads;
	unsigned long count;
	int shared;
} locks;

static struct {
	_Alignas(128) pthread_mutex_t mutex;
	unsigned long sum;
} guarded[LOCKERS];

static void *run_locks(void *context)
{
	unsigned own = locks.shared ? 0 : (unsigned)(size_t)context;

	for (unsigned long i = 0; i < locks.count; i++) {
		pthread_mutex_lock(&guarded[own].mutex);
		guarded[own].sum += i;
		pthread_mutex_unlock(&guarded[own].mutex);
	}
	return NULL;
}

/* The ns that a thread needs to take and release a lock. */
static double time_locks(void)
{
	pthread_t threads[LOCKERS];
	struct timespec from, to;

	for (unsigned i = 0; i < LOCKERS; i++)
		pthread_mutex_init(&guarded[i].mutex, NULL);
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (unsigned i = 0; i < locks.threads; i++)
		if (pthread_create(&threads[i], NULL, run_locks, (void *)(size_t)i))
			abort();
	for (unsigned i = 0; i < locks.threads; i++)
		pthread_join(threads[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) /
		(double)locks.count;
}

/* THREADS COUNT shared|own */
static void read_locks(int count, char **words)
{
	if (count != 4 || atoi(words[1]) > LOCKERS) {
		fprintf(stderr, "usage: %s THREADS COUNT shared|own\n", words[0]);
		exit(2);
	}
	locks.threads = (unsigned)atoi(words[1]);
	locks.count = (unsigned long)atol(words[2]);
	locks.shared = !strcmp(words[3], "shared");
}

#endif
