/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls serve() 300 times in a thread of its own, and misbehaves once, until a debugger sets
 * `released`.
 *
 *	misbehaves [HOW]
 *
 * Without HOW it behaves.  HOW "slow": the call of serve() number 150 does not return.
 */
#include "cpu.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

volatile int released;

static const char *how = "";

/* Does it misbehave as HOW says? */
static int is(const char *what)
{
	return !strcmp(how, what);
}

/* A program that nobody releases ends. */
static int goes_on(void)
{
	static int turns;

	usleep(1000);
	return !released && turns++ < 100000;
}

__attribute__((noinline)) static void linger(void)
{
	while (goes_on())
		;
}

__attribute__((noinline)) static void serve(int number, int depth)
{
	if (depth)
		serve(number, depth - 1);
	else if (number == 150 && is("slow"))
		linger();
	else
		burn(0.00001);
	__asm__ volatile("");
}

static void *work(void *unused)
{
	for (int i = 0; i < 300; i++)
		serve(i, i % 3);
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t thread;

	if (count > 1)
		how = arguments[1];
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
