/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same work, which is called by several ways, TURNS times: routes TURNS.  Of 19 parts, top1 has
 * 6, half of it by way of each of middle1 and middle2; top2 has 6 by way of middle1; and top3 has 6
 * by way of middle2, and one by itself.  The ways are short: what returns where changes all the
 * time.
 */
#include <stdio.h>
#include <stdlib.h>

static volatile long sum;
static long part; /* of another size in each turn: none is in step with a sampler */

__attribute__((noinline)) void leaf(long parts)
{
	for (long i = 0; i < parts * part; i++)
		sum += i;
}

__attribute__((noinline)) void middle1(long parts)
{
	leaf(parts);
	sum++;
	leaf(2 * parts);
	sum++;
}

__attribute__((noinline)) void middle2(long parts)
{
	leaf(3 * parts);
	sum++;
}

__attribute__((noinline)) void top1(long parts)
{
	middle1(parts);
	sum++;
	middle2(parts);
	sum++;
}

__attribute__((noinline)) void top2(long parts)
{
	middle1(2 * parts);
	sum++;
}

__attribute__((noinline)) void top3(long parts)
{
	middle2(2 * parts);
	sum++;
	leaf(parts);
	sum++;
}

int main(int argc, char **argv)
{
	long turns = argc > 1 ? atol(argv[1]) : 1;
	unsigned number = 1;

	for (long i = 0; i < turns; i++) {
		number = number * 1103515245 + 12345;
		part = 500 + (number >> 16) % 1000;
		top1(1);
		top2(1);
		top3(1);
	}
	printf("turns %ld\n", turns);
	return 0;
}
