/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that are called a known number of times from known places: see tests/gdb/counted.t.
 * The first argument says how much work they do; "alone" has no threads, "storm" N more calls,
 * "signals" a signal every millisecond.
 */
#include "spend.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned sink;
static unsigned amount = 1;

static APART void work(void)
{
	for (unsigned i = 0; i < amount * 10000; i++)
		SPEND(i);
}

static APART void leaf(int times)
{
	sink += (unsigned)times;
	work();
}

static inline __attribute__((always_inline)) void inlined(int times)
{
	for (int i = 0; i < times; i++)
		leaf(i);
}

/* Calls leaf 3 times, and 2 times where it is inlined. */
APART void first(void)
{
	for (int i = 0; i < 3; i++)
		leaf(i);
	inlined(2);
}

/* Calls leaf once, through a pointer, and itself DEPTH times. */
APART void second(int depth)
{
	void (*volatile call)(int) = leaf;

	if (depth)
		second(depth - 1);
	else
		call(0);
	sink++;
}

/* These call each other: of 7 calls 4 are of ping. */
APART void pong(int depth);

APART void ping(int depth)
{
	if (depth)
		pong(depth - 1);
	sink++;
}

APART void pong(int depth)
{
	if (depth)
		ping(depth - 1);
	sink++;
}

static APART void *thread(void *times)
{
	for (int i = 0; i < (int)(long)times; i++)
		leaf(i);
	return NULL;
}

APART void never(void)
{
	sink++;
}

static int compare(const void *a, const void *b)
{
	int one = *(const int *)a, other = *(const int *)b;

	sink++;
	return (one > other) - (one < other);
}

static APART void threads(void)
{
	pthread_t ids[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, thread, (void *)(5 + i));
	for (long i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
}

static void on_signal(int signal)
{
	(void)signal;
	sink++;
}

static APART void signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, 1000}, {0, 1000}};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* As often as possible. */
static APART void storm(int millions)
{
	for (int i = 0; i < millions * 1000000; i++)
		never();
}

int main(int argc, char **argv)
{
	int numbers[] = {2, 1};

	if (argc > 1)
		amount = (unsigned)strtoul(argv[1], NULL, 10);
	if (argc > 2 && !strcmp(argv[2], "signals"))
		signals();
	for (int i = 0; i < 10; i++)
		first();
	second(6);
	second(3);
	ping(6);
	if (argc < 3 || strcmp(argv[2], "alone") != 0)
		threads();
	qsort(numbers, 2, sizeof *numbers, compare);
	if (argc > 3 && !strcmp(argv[2], "storm"))
		storm(atoi(argv[3]));
	return 0;
}
