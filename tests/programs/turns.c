/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For scripted debug sessions with threads: four workers take turns, one at a time, so that what
 * stops next is known, while two others burn all the time, so that there is always who is sampled.
 */
#include "spend.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>

enum { WORKERS = 4, TURNS = 3, BURNERS = 2 };

static sem_t batons[WORKERS], finished;
static volatile bool over;
long rounds[WORKERS];

__attribute__((noinline)) static void burn(long thousands)
{
	for (long i = 0; i < thousands * 1000; i++)
		SPEND(i);
}

__attribute__((noinline)) static long work(long index, long turn)
{
	long result = index * 10 + turn;

	burn(2000);
	rounds[index] += turn + 1;
	burn(2000);
	return result;
}

static void *worker(void *argument)
{
	long index = (long)argument;
	long sum = 0;

	for (long turn = 0; turn < TURNS; turn++) {
		while (sem_wait(&batons[index]))
			;
		sum += work(index, turn);
		if (index + 1 < WORKERS)
			sem_post(&batons[index + 1]);
		else
			sem_post(&finished);
	}
	/* None ends before all may, so that it is known which threads there are. */
	while (sem_wait(&batons[index]))
		;
	return (void *)sum;
}

static void *burner(void *argument)
{
	while (!over)
		burn(10);
	return argument;
}

__attribute__((noinline)) static void gathered(long turn)
{
	burn(1000);
	printf("turn %ld: %ld %ld %ld %ld\n", turn, rounds[0], rounds[1], rounds[2], rounds[3]);
}

int main(void)
{
	pthread_t burners[BURNERS], workers[WORKERS];
	void *sum;

	sem_init(&finished, 0, 0);
	for (long i = 0; i < BURNERS; i++)
		pthread_create(&burners[i], NULL, burner, NULL);
	for (long i = 0; i < WORKERS; i++) {
		sem_init(&batons[i], 0, 0);
		pthread_create(&workers[i], NULL, worker, (void *)i);
	}
	for (long turn = 0; turn < TURNS; turn++) {
		sem_post(&batons[0]);
		while (sem_wait(&finished))
			;
		gathered(turn);
	}
	over = true;
	for (int i = 0; i < BURNERS; i++)
		pthread_join(burners[i], NULL);
	for (int i = 0; i < WORKERS; i++) {
		sem_post(&batons[i]);
		pthread_join(workers[i], &sum);
		printf("worker %d: %ld\n", i, (long)sum);
	}
	return 5;
}
