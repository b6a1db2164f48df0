/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of functions that the C library chooses for the CPU: chosen [late].
 *
 * memset() is called 30 times, memcpy() 20, strlen() 10 and strcspn() 5 times, each through a
 * pointer to the function's slot.  With "late" it waits in the middle for a debugger, until that
 * sets `met`.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char from[256], to[256];
volatile int met;
volatile size_t sum;
static volatile size_t length = 200; /* so that nothing is made of the calls */

__attribute__((noinline)) void stage(void)
{
	sum++;
}

__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < 30; i++)
		memset(from, 'a' + i % 26, length);
	for (int i = 0; i < 20; i++)
		memcpy(to, from, length);
	for (int i = 0; i < 10; i++)
		sum += strlen(to);
	for (int i = 0; i < 5; i++)
		sum += strcspn(to, "0");
}

int main(int argc, char **argv)
{
	(void)argv;
	while (argc > 1 && !met)
		usleep(1000);
	stage();
	work();
	printf("%zu\n", sum);
	return 0;
}
