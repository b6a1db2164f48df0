/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks of DEPTH frames, and all of the time at their ends: deep DEPTH UNITS. */
#include "cpu.h"
#include "spend.h"

#include <stdio.h>
#include <stdlib.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void bottom(long units)
{
	for (long i = 0; i < units * 10000; i++)
		SPEND(i);
}

__attribute__((noinline)) static void deeper(long level, long units)
{
	if (level > 1)
		deeper(level - 1, units);
	else
		bottom(units);
	sink++;
}

int main(int argc, char **argv)
{

	deeper(argc > 1 ? strtol(argv[1], NULL, 10) : 2000,
		argc > 2 ? strtol(argv[2], NULL, 10) : 50000);
	print_cpu();
	return 0;
}
