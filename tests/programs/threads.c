/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Known shares over several threads: three are busy, one after the other done with the same work,
 * and two sleep, which must not see that they are watched.
 *
 *	threads ROUNDS
 *
 *	first, second, third	a third of the CPU time each
 *	left, right		of it 70 % and 30 %
 *	dozer, poller		no CPU time but at the beginning; they sleep in nanosleep() and
 *				epoll_wait()
 *
 * Each thread is called as its function.  At last it prints the CPU time that it has used, in s,
 * that of each of the busy threads, how long the two slept, and how often they were interrupted.
 */
#define _GNU_SOURCE
#include "cpu.h"
#include "spend.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static long rounds = 400;
static int ending[2]; /* a pipe: the poller wakes when it is closed */
static volatile bool ended;
static volatile int interrupted;

/* One unit, the same code for all; each thread has its own place to write to. */
__attribute__((noinline)) static void unit(void)
{
	for (unsigned long i = 0; i < 10000; i++)
		SPEND(i);
}

__attribute__((noinline)) static void left(void)
{
	for (int i = 0; i < 70; i++)
		unit();
	sink++;
}

__attribute__((noinline)) static void right(void)
{
	for (int i = 0; i < 30; i++)
		unit();
	sink++;
}

__attribute__((noinline)) static void both(void)
{
	for (long i = 0; i < rounds; i++) {
		left();
		right();
	}
	sink++;
}

static double now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#define BUSY(name)                                         \
	static void *name(void *argument)                  \
	{                                                  \
		double *used = argument;                   \
                                                           \
		pthread_setname_np(pthread_self(), #name); \
		both();                                    \
		*used = now(CLOCK_THREAD_CPUTIME_ID);      \
		return NULL;                               \
	}
BUSY(first)
BUSY(second)
BUSY(third)

/* Work enough that the thread is met in FUNCTION before it sleeps there. */
__attribute__((noinline)) static void wake_up(void)
{
	double begin = now(CLOCK_MONOTONIC);

	while (now(CLOCK_MONOTONIC) < begin + 0.2)
		unit();
	sink++;
}

static void *dozer(void *argument)
{
	double *slept = argument;

	pthread_setname_np(pthread_self(), "dozer");
	wake_up();
	double begin = now(CLOCK_MONOTONIC);
	while (!ended) {
		struct timespec time = {.tv_nsec = 50000000};
		if (nanosleep(&time, NULL) && errno == EINTR)
			interrupted++;
	}
	*slept = now(CLOCK_MONOTONIC) - begin;
	return NULL;
}

static void *poller(void *argument)
{
	double *slept = argument;
	struct epoll_event event = {.events = EPOLLIN};
	int epoll = epoll_create1(0);

	pthread_setname_np(pthread_self(), "poller");
	epoll_ctl(epoll, EPOLL_CTL_ADD, ending[0], &event);
	wake_up();
	double begin = now(CLOCK_MONOTONIC);
	for (;;) {
		int count = epoll_wait(epoll, &event, 1, 10000);
		if (count > 0)
			break;
		if (count < 0 && errno == EINTR)
			interrupted++;
	}
	*slept = now(CLOCK_MONOTONIC) - begin;
	return NULL;
}

int main(int argc, char **argv)
{
	void *(*const busy[])(void *) = {first, second, third};
	double slept[2], used[3];
	pthread_t threads[5];

	if (argc > 1)
		rounds = strtol(argv[1], NULL, 10);
	if (pipe(ending))
		return 1;
	pthread_create(&threads[3], NULL, dozer, &slept[0]);
	pthread_create(&threads[4], NULL, poller, &slept[1]);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, busy[i], &used[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	ended = true;
	close(ending[1]);
	pthread_join(threads[3], NULL);
	pthread_join(threads[4], NULL);
	print_cpu();
	printf("used %f %f %f\n", used[0], used[1], used[2]);
	printf("slept %f %f\n", slept[0], slept[1]);
	printf("interrupted %d\n", interrupted);
	return 0;
}
