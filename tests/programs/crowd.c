/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many threads that are there at the same time: crowd THREADS [SECONDS]
 *
 * They do nothing.  With SECONDS, they sleep for short times, while one computes for so long, after
 * it has taken its time to start them.
 */
#include "spend.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t ready = PTHREAD_MUTEX_INITIALIZER;
static volatile int over;
static double seconds;

static void doze(unsigned seed)
{
	while (!over) {
		struct timespec time = {0, (100 + rand_r(&seed) % 400) * 1000000L};
		nanosleep(&time, NULL);
	}
}

static void *wait_at_gate(void *context)
{
	if (seconds > 0)
		doze((unsigned)(size_t)context);
	pthread_mutex_lock(&ready);
	pthread_mutex_unlock(&ready);
	return context;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void compute(void)
{
	double begin = now();

	while (now() - begin < seconds)
		for (int i = 0; i < 1000000; i++)
			SPEND(i);
	over = 1;
}

static void start(pthread_t *threads, long count)
{
	const struct timespec nap = {0, 1000000};

	for (long i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, wait_at_gate, (void *)i))
			exit(1);
		if (seconds > 0)
			nanosleep(&nap, NULL);
	}
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
	pthread_t *threads = calloc((size_t)count, sizeof *threads);

	seconds = argc > 2 ? strtod(argv[2], NULL) : 0;
	if (!threads)
		return 1;
	pthread_mutex_lock(&ready);
	start(threads, count);
	if (seconds > 0)
		compute();
	pthread_mutex_unlock(&ready);
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
