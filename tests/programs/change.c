/*
 * A program of which two runs differ in a way that is known: change FIRST SECOND THIRD uses so many
 * ms of CPU time in each of three functions; of 0 ms, the function is not called.
 */
#include "cpu.h"

#include <stdlib.h>

static volatile int done;

__attribute__((noinline)) static void first(double seconds)
{
	burn(seconds);
	done++;
}

__attribute__((noinline)) static void second(double seconds)
{
	burn(seconds);
	done++;
}

__attribute__((noinline)) static void third(double seconds)
{
	burn(seconds);
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
	return 0;
}
