/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tool for OpenMP, as a user may have one: a library, or, with PROGRAM, a program of its own. */
#include <stddef.h>
#include <stdio.h>

struct tool {
	int (*initialize)(void *lookup, int device, void *data);
	void (*finalize)(void *data);
	void *data;
};

struct tool *ompt_start_tool(unsigned version, const char *runtime);

static int initialize(void *lookup, int device, void *data)
{
	(void)lookup, (void)device, (void)data;
	puts("the user's own tool");
	return 1;
}

static void finalize(void *data)
{
	(void)data;
}

struct tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct tool tool = {initialize, finalize, NULL};

	(void)version, (void)runtime;
	return &tool;
}

#ifdef PROGRAM
int main(void)
{
	int threads = 0;

#pragma omp parallel num_threads(2) reduction(+ : threads)
	threads++;
	printf("%d threads\n", threads);
	return 0;
}
#endif
