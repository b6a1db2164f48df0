/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An example to profile: direct and mutual recursion, with known shares of the time. */
#include <stdio.h>

static unsigned long sink;

/* All the time is spent here: UNITS of work, in registers, where CPUs are equally fast. */
__attribute__((noinline)) static void work(int units)
{
	unsigned long sum = sink;

	for (long i = 0; i < units * 20000L; i++)
		sum = sum * 31 + (unsigned long)i;
	sink = sum;
}

/* 15 of 55 units. */
__attribute__((noinline)) static void smooth(int units)
{
	work(3 * units);
}

/* 35 of 55 units of its own, on two levels of its recursion. */
__attribute__((noinline)) static void refine(int level, int units)
{
	if (level > 0)
		refine(level - 1, units);
	else
		work(5 * units);
	if (level == 1)
		smooth(units);
	if (level == 2)
		work(2 * units);
}

__attribute__((noinline)) static void pong(int turns);

/* Mutual recursion: ping and pong make a cycle, with 5 of 55 units. */
__attribute__((noinline)) static void ping(int turns)
{
	work(1);
	if (turns > 0)
		pong(turns - 1);
}

__attribute__((noinline)) static void pong(int turns)
{
	work(1);
	if (turns > 0)
		ping(turns - 1);
}

int main(void)
{
	for (int i = 0; i < 1000; i++) {
		refine(3, 5);
		ping(4);
	}
	printf("%lu\n", sink);
	return 0;
}
