/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process and its child, each with work of its own:
 * family fork|vfork|small|exec [PROGRAM ARGUMENTS].
 *
 *	first	before the child is made
 *	child	in the child, which then exits with 3, and 1 more for each SIGURG or SIGWINCH
 *	parent	in the parent, which then waits for the child, and returns 4 if all went well
 *
 * With exec the process executes PROGRAM after its first work, with small it calls a small function
 * over and over, so that single steps come to an end.
 */
#include "cpu.h"
#include "spend.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;
static volatile sig_atomic_t signals;

__attribute__((noinline)) static void first(void)
{
	burn(0.1);
	sink++;
}

__attribute__((noinline)) static void child(void)
{
	burn(0.1);
	sink++;
}

__attribute__((noinline)) static void parent(void)
{
	burn(0.1);
	sink++;
}

__attribute__((noinline)) static long small(long turns)
{
	long sum = 0;

	for (long i = 0; i < turns; i++) {
		SPEND(i);
		sum += i;
	}
	sink++;
	return sum;
}

__attribute__((noinline)) static int repeat(void)
{
	long sum = 0;

	for (int i = 0; i < 200000; i++)
		sum += small(1000);
	printf("sum %ld\n", sum);
	return sum == 200000L * 999 * 500 ? 5 : 1;
}

static void count(int signal)
{
	(void)signal;
	signals++;
}

static void listen(void)
{
	struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};

	sigaction(SIGURG, &action, NULL);
	sigaction(SIGWINCH, &action, NULL);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "fork";
	int status = 0;

	first();
	if (!strcmp(way, "exec") && argc > 2) {
		execv(argv[2], argv + 2);
		return 1;
	}
	if (!strcmp(way, "small"))
		return repeat();
	pid_t process = strcmp(way, "vfork") ? fork() : vfork();
	if (!process) {
		listen();
		child();
		_exit(3 + signals);
	}
	parent();
	waitpid(process, &status, 0);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return 4;
}
