/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads whose every event must reach the debugger and the program, however often they are
 * sampled.
 *
 *	events ROUNDS
 *
 * Each of three threads, in every round: works, is sent SIGUSR1 by itself, calls reached(); in
 * every tenth it makes a thread and a child process that end, and waits for them.  At last it
 * prints how many signals were handled, and how many threads and processes have ended.
 */
#include "spend.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3 };

static long rounds = 100;
static atomic_long handled, threads, processes;

static void handle(int signal)
{
	(void)signal;
	handled++;
}

static void work(void)
{
	for (unsigned i = 0; i < 200000; i++)
		SPEND(i);
}

__attribute__((noinline)) void reached(void)
{
	__asm__ volatile("");
}

static void *end(void *context)
{
	threads++;
	return context;
}

static void make_children(void)
{
	pthread_t thread;
	int status;

	if (!pthread_create(&thread, NULL, end, NULL))
		pthread_join(thread, NULL);
	pid_t child = fork();
	if (!child)
		_exit(3);
	if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3)
		processes++;
}

static void *run(void *context)
{
	for (long i = 0; i < rounds; i++) {
		work();
		pthread_kill(pthread_self(), SIGUSR1);
		reached();
		if (i % 10 == 0)
			make_children();
	}
	return context;
}

int main(int argc, char **argv)
{
	pthread_t others[THREADS - 1];

	if (argc > 1)
		rounds = strtol(argv[1], NULL, 10);
	signal(SIGUSR1, handle);
	for (int i = 0; i < THREADS - 1; i++)
		pthread_create(&others[i], NULL, run, NULL);
	run(NULL);
	for (int i = 0; i < THREADS - 1; i++)
		pthread_join(others[i], NULL);
	printf("%ld signals, %ld threads, %ld processes\n", (long)handled, (long)threads,
		(long)processes);
	return 0;
}
