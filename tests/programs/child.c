/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a child, and both allocate: the parent 10 times before and 5 times after, the child 77
 * times. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static __attribute__((noinline)) void grow(int times)
{
	for (int i = 0; i < times; i++) {
		void *volatile block = malloc(100);
		(void)block;
	}
}

static __attribute__((noinline)) void infant(void)
{
	grow(70);
}

static __attribute__((noinline)) void last(void)
{
	grow(7);
}

int main(void)
{
	grow(10);
	pid_t child = fork();
	if (!child) {
		infant();
		last();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	grow(5);
	return 0;
}
