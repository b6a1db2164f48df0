/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * barriers ROUNDS: two threads, the first of which has all the work, so that the other one waits
 * for it: at a barrier of the program's own, at the end of loops and of sections, and at the end of
 * the code of one thread.
 */
#include <omp.h>
#include <stdlib.h>

double results[2];

__attribute__((noinline)) static double burn(long steps)
{
	double sum = 0;

	for (volatile long i = 0; i < steps; i++)
		sum += (double)i;
	return sum;
}

__attribute__((noinline)) static void asked(int me, long steps)
{
	results[me] += burn(me ? 1 : steps);
#pragma omp barrier
	results[me] += results[1 - me];
}

__attribute__((noinline)) static void looped(int me, long steps)
{
#pragma omp for schedule(static)
	for (int i = 0; i < 2; i++)
		results[me] += burn(i ? 1 : steps);
	results[me] += results[1 - me];
}

__attribute__((noinline)) static void handed_out(int me, long steps)
{
#pragma omp for schedule(dynamic)
	for (int i = 0; i < 2; i++)
		results[me] += burn(i ? 1 : steps);
	results[me] += results[1 - me];
}

__attribute__((noinline)) static void divided(int me, long steps)
{
#pragma omp sections
	{
		results[me] += burn(steps);
#pragma omp section
		results[me] += burn(1);
	}
	results[me] += results[1 - me];
}

__attribute__((noinline)) static void single(int me, long steps)
{
#pragma omp single
	results[me] += burn(steps);
	results[me] += results[1 - me];
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;
	enum { STEPS = 1000000 };

	omp_set_num_threads(2);
#pragma omp parallel
	for (long i = 0; i < rounds; i++) {
		int me = omp_get_thread_num();
		asked(me, STEPS);
		looped(me, STEPS);
		handed_out(me, STEPS);
		divided(me, STEPS);
		single(me, STEPS);
	}
	return results[0] < 0;
}
