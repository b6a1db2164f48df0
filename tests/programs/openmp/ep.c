/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * ep ROUNDS THREADS: pairs of Gaussian deviates by the polar method, counted by square annuli, as
 * the kernel "embarrassingly parallel" of the NAS Parallel Benchmarks (report RNR-94-007) describes
 * it.  Threads share nothing but a reduction at the end.
 */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCHES = 64, PAIRS = 20000, ANNULI = 10 };

/* The next of the uniform deviates of *STATE, from -1 to 1: the generator of the description, 5^13
 * modulo 2^46. */
static double deviate(uint64_t *state)
{
	*state = *state * UINT64_C(1220703125) & ((UINT64_C(1) << 46) - 1);
	return 2.0 * (double)*state / (double)(UINT64_C(1) << 46) - 1.0;
}

/* Counts the pairs of the batch NUMBER, and returns how many were accepted. */
__attribute__((noinline)) static long batch(int number, long counts[ANNULI])
{
	uint64_t state = 271828183 + 2 * (uint64_t)number;
	long accepted = 0;

	for (int i = 0; i < PAIRS; i++) {
		double x = deviate(&state), y = deviate(&state), t = x * x + y * y;
		if (t > 1 || t == 0)
			continue;
		double scale = sqrt(-2 * log(t) / t);
		int annulus = (int)fmax(fabs(x * scale), fabs(y * scale));
		counts[annulus < ANNULI ? annulus : ANNULI - 1]++;
		accepted++;
	}
	return accepted;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;
	long accepted = 0, first = 0;

	if (argc > 2)
		omp_set_num_threads(atoi(argv[2]));
	for (long round = 0; round < rounds; round++) {
#pragma omp parallel reduction(+ : accepted, first)
		{
			long counts[ANNULI] = {0};
#pragma omp for schedule(static) nowait
			for (int i = 0; i < BATCHES; i++)
				accepted += batch(i, counts);
			first += counts[0];
		}
	}
	printf("%ld accepted, %ld in the first annulus\n", accepted, first);
	return 0;
}
