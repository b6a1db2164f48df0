/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Known shares of the time: a unit of work costs the same wherever it is done.
 *
 *	recurse (3 deep)  50 %, at the end of the recursion
 *	even, odd         30 %, mutual recursion, 15 % each
 *	plain             20 %
 */
#include "spend.h"

#include <stdlib.h>

static volatile unsigned long sink;

/* One unit, the same code for all: a copy of it elsewhere may be faster by a tenth. */
__attribute__((noinline)) static void unit(void)
{
	for (unsigned long i = 0; i < 20000; i++)
		SPEND(i);
}

__attribute__((noinline)) static void recurse(int level)
{
	if (level > 1)
		recurse(level - 1);
	else
		for (int i = 0; i < 50; i++)
			unit();
	sink++;
}

__attribute__((noinline)) static void odd(int turns);

__attribute__((noinline)) static void even(int turns)
{
	for (int i = 0; i < 5; i++)
		unit();
	if (turns > 1)
		odd(turns - 1);
	sink++;
}

__attribute__((noinline)) static void odd(int turns)
{
	for (int i = 0; i < 5; i++)
		unit();
	if (turns > 1)
		even(turns - 1);
	sink++;
}

__attribute__((noinline)) static void plain(void)
{
	for (int i = 0; i < 20; i++)
		unit();
	sink++;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 200;

	for (long i = 0; i < rounds; i++) {
		recurse(3);
		even(6);
		plain();
	}
	return 0;
}
