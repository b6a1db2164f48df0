/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library that calls back, in two phases: callback ROUNDS.
 *
 * In the first, sort() has qsort() of the C library call compare() again and again; in the second,
 * plain() does the same work itself.  unit() is inlined into both.
 */
#include "spend.h"

#include <stdlib.h>

enum { COUNT = 64 };

static volatile unsigned long sink;

static inline __attribute__((always_inline)) int unit(int a, int b)
{
	for (unsigned long i = 0; i < 2000; i++)
		SPEND(i);
	return (a > b) - (a < b);
}

__attribute__((noinline)) static int compare(const void *left, const void *right)
{
	return unit(*(const int *)left, *(const int *)right);
}

__attribute__((noinline)) static void sort(int *numbers)
{
	for (int i = 0; i < COUNT; i++)
		numbers[i] = i * 37 % COUNT;
	qsort(numbers, COUNT, sizeof *numbers, compare);
	sink++;
}

__attribute__((noinline)) static void plain(const int *numbers)
{
	for (int i = 0; i < 300; i++)
		sink += (unsigned long)unit(numbers[i % COUNT], numbers[(i + 7) % COUNT]);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 300;
	int numbers[COUNT] = {0};

	for (long i = 0; i < rounds; i++)
		sort(numbers);
	for (long i = 0; i < rounds; i++)
		plain(numbers);
	return 0;
}
