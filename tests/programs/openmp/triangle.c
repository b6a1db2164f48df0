/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * triangle ROUNDS THREADS: in each round a loop whose iterations get longer and longer, in equal
 * parts of a static schedule: of THREADS threads the one numbered t has (2 t + 1) / THREADS^2 of
 * the work, and the others wait for the last one.  Then as much work again in one thread.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 120, STEPS = 400 };

static volatile double sum;

__attribute__((noinline)) static void burn(long steps)
{
	double x = 1;

	for (long i = 0; i < steps; i++)
		x = x * 1.0000001 + 0.1;
	sum = x;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 100;

	if (argc > 2)
		omp_set_num_threads(atoi(argv[2]));
	for (long round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(static)
		for (int i = 0; i < ITERATIONS; i++)
			burn((2 * i + 1) * STEPS);
		burn((long)ITERATIONS * ITERATIONS * STEPS);
	}
	printf("%ld rounds\n", rounds);
	return 0;
}
