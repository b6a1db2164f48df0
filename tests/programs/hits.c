/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that breakpoints stand at, called often, and work in between that ticks meet.
 *
 *	hits TURNS [THREADS]
 *
 * Says how often each thread has called each of them.
 */
#include "spend.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8 };

static long turns;
static volatile unsigned long sink;
long made;

__attribute__((noinline)) static void burn(void)
{
	for (int i = 0; i < 5000; i++)
		SPEND(i);
}

__attribute__((noinline)) void met(long turn)
{
	sink += (unsigned long)turn;
}

__attribute__((noinline)) void marked(long turn)
{
	sink += (unsigned long)turn;
}

__attribute__((noinline)) long seen(long turn)
{
	sink += (unsigned long)turn;
	return turn;
}

static void *work(void *argument)
{
	for (long turn = 0; turn < turns; turn++) {
		burn();
		met(turn);
		marked(turn);
		seen(turn);
		__atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
	}
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int count = argc > 2 ? atoi(argv[2]) : 0;

	turns = argc > 1 ? atol(argv[1]) : 100;
	if (count > THREADS)
		count = THREADS;
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	work(NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("made %ld\n", made);
	return 0;
}
