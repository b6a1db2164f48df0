/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One thread holds a lock, ten times, and for 40 ms more once the other waits for it; what that has
 * waited, by its own clock, is printed in ns.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready, done;
enum { ROUNDS = 10 };

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* What the C library writes into a lock that somebody waits for. */
enum { WAITED_FOR = 2 };

static void let_wait(void)
{
	const struct timespec moment = {0, 100000};

	while (*(volatile int *)&contended.__data.__lock != WAITED_FOR)
		nanosleep(&moment, NULL);
}

static void *hold(void *unused)
{
	const struct timespec pause = {0, 40000000};

	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&contended);
		sem_post(&ready);
		let_wait();
		nanosleep(&pause, NULL);
		pthread_mutex_unlock(&contended);
		sem_wait(&done);
	}
	return unused;
}

__attribute__((noinline)) static void wait_for_it(void)
{
	pthread_mutex_lock(&contended);
	pthread_mutex_unlock(&contended);
}

int main(void)
{
	pthread_t thread;
	long long waited = 0;

	sem_init(&ready, 0, 0);
	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, hold, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&ready);
		long long begin = now();
		wait_for_it();
		waited += now() - begin;
		sem_post(&done);
	}
	pthread_join(thread, NULL);
	printf("waited %lld ns\n", waited);
	return 0;
}
