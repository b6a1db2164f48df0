/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways to end with threads on every CPU: leaving exit|exec|spawn|fork|main|spin [BURNERS].
 *
 *	exit	the process exits while its threads burn
 *	exec	a thread executes the program `leaving after`
 *	spawn	children are made, each of which executes a program, in vain or not; then it exits
 *	fork	children are made, which burn and exit, and are waited for
 *	main	the main thread ends before the others, which burn until the process is killed
 *	spin	it burns until it is killed; prints a line when it does
 */
#include "cpu.h"

#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { CHILDREN = 20 };

static long burners = 4;

__attribute__((noinline)) static void *burner(void *argument)
{
	for (;;)
		burn(1);
	return argument;
}

__attribute__((noinline)) static void before(void)
{
	burn(0.1);
}

__attribute__((noinline)) static void after(void)
{
	burn(0.2);
}

static void start_burners(void)
{
	pthread_t thread;

	for (int i = 0; i < burners; i++)
		pthread_create(&thread, NULL, burner, NULL);
}

static void *execute(void *name)
{
	before();
	/* It stays, and goes on to burn, and tries again. */
	if (execl("/nowhere", (char *)name, NULL))
		before();
	execl("/proc/self/exe", (char *)name, "after", NULL);
	abort();
}

static void spawn_children(void)
{
	char *const arguments[] = {"true", NULL};

	for (int i = 0; i < CHILDREN; i++) {
		int status = 0;
		pid_t child;
		if (posix_spawnp(&child, i % 2 ? "true" : "nowhere", NULL, NULL, arguments,
			    environ) == 0)
			waitpid(child, &status, 0);
	}
}

static int make_children(void)
{
	int sum = 0;

	for (int i = 0; i < CHILDREN; i++) {
		int status = 0;
		pid_t child = fork();
		if (!child) {
			burn(0.02);
			_exit(1);
		}
		waitpid(child, &status, 0);
		sum += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
	}
	before();
	return sum;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "spin";
	pthread_t thread;

	if (!strcmp(way, "after")) {
		after();
		return 4;
	}
	if (argc > 2)
		burners = strtol(argv[2], NULL, 10);
	if (!strcmp(way, "fork"))
		return make_children() == CHILDREN ? 5 : 1;
	start_burners();
	if (!strcmp(way, "exec")) {
		pthread_create(&thread, NULL, execute, argv[0]);
		pthread_join(thread, NULL);
	}
	if (!strcmp(way, "exit") || !strcmp(way, "spawn")) {
		before();
		if (!strcmp(way, "spawn"))
			spawn_children();
		exit(6);
	}
	if (!strcmp(way, "main")) {
		before();
		pthread_exit(NULL);
	}
	puts("spinning");
	fflush(stdout);
	for (;;)
		before();
}
