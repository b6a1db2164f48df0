/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program of which two runs differ in a way that is known: change FIRST SECOND THIRD uses so many
 * ms of CPU time in each of three functions; of 0 ms, the function is not called.  It prints how
 * many seconds each has had.
 */
#include "cpu.h"

#include <stdlib.h>

static volatile int done;
static double had[3];

__attribute__((noinline)) static void first(double seconds)
{
	had[0] += burn(seconds);
	done++;
}

__attribute__((noinline)) static void second(double seconds)
{
	had[1] += burn(seconds);
	done++;
}

__attribute__((noinline)) static void third(double seconds)
{
	had[2] += burn(seconds);
	done++;
}

__attribute__((noinline)) static void step(int which, double seconds)
{
	static void (*const functions[])(double) = {first, second, third};

	if (seconds > 0)
		functions[which](seconds);
	done++;
}

int main(int argc, char **argv)
{
	/* In small turns, so that a machine that is busy for a while is so for all of them. */
	for (int turn = 0; turn < 10; turn++)
		for (int i = 1; i < argc && i <= 3; i++)
			step(i - 1, strtod(argv[i], NULL) / 1e4);
	printf("first %.3f second %.3f third %.3f\n", had[0], had[1], had[2]);
	return 0;
}
