/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that block all signals but SIGINT.
 *
 *	masked turns THREADS TURNS	each thread makes so many turns, and prints its CPU
 *					time in s
 *	masked watched			a child spins; its parent counts what the kernel tells of it
 */
#include "spend.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16 };

static volatile sig_atomic_t told;

/* But for the one by which GDB interrupts a program. */
static void block_all(void)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGINT);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

__attribute__((noinline)) static void turn(int number)
{
	for (int i = 0; i < 100000; i++)
		SPEND(i);
}

static void *take_turns(void *argument)
{
	const int *turns = argument;
	struct timespec time;

	block_all();
	for (int i = 0; i < *turns; i++)
		turn(i);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	printf("thread %.3f\n", (double)time.tv_sec + (double)time.tv_nsec / 1e9);
	return NULL;
}

static void use_turns(int count, int turns)
{
	pthread_t threads[MOST];

	for (int i = 0; i < count && i < MOST; i++)
		pthread_create(&threads[i], NULL, take_turns, &turns);
	for (int i = 0; i < count && i < MOST; i++)
		pthread_join(threads[i], NULL);
}

static void on_child(int signal)
{
	(void)signal;
	told++;
}

/* Until its input ends, it counts signals of its child, and changes of its state. */
static void watch(void)
{
	char byte;
	int changes = 0;

	signal(SIGCHLD, on_child);
	pid_t child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		block_all();
		for (;;)
			turn(1);
	}
	printf("%d\n", (int)child);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		changes += waitpid(child, NULL, WUNTRACED | WCONTINUED | WNOHANG) > 0;
	changes += waitpid(child, NULL, WUNTRACED | WCONTINUED | WNOHANG) > 0;
	printf("%d changes, %d signals\n", changes, (int)told);
	kill(child, SIGKILL);
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[1], "turns"))
		use_turns(atoi(argv[2]), atoi(argv[3]));
	else if (argc > 1 && !strcmp(argv[1], "watched"))
		watch();
	else
		return 2;
	return 0;
}
