/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that live for less than a tick, one after the other: churn THREADS.
 *
 * The CPU time of all is printed, and how much of that their function had: the rest is what it
 * takes to begin and to end a thread.
 */
#include "cpu.h"
#include "spend.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static double within;

static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *brief(void *argument)
{
	double begin = used();

	for (long i = 0; i < 300000; i++)
		SPEND(i);
	within += used() - begin;
	return argument;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 2000;
	pthread_t thread;

	for (long i = 0; i < threads; i++) {
		pthread_create(&thread, NULL, brief, NULL);
		pthread_join(thread, NULL);
	}
	printf("within %.6f ", within);
	print_cpu();
	return 0;
}
