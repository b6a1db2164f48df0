/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * creators ROUNDS: one of two threads creates tasks, and calls a function that waits for them.  The
 * other one executes some of them in a barrier, to which another function has led it.
 */
#include <omp.h>
#include <stdlib.h>

enum { TASKS = 8, STEPS = 100000 };

double results[TASKS];

__attribute__((noinline)) static double burn(long steps)
{
	double sum = 0;

	for (volatile long i = 0; i < steps; i++)
		sum += (double)i;
	return sum;
}

__attribute__((noinline)) static void finish(void)
{
#pragma omp taskwait
	results[0] += 1;
}

__attribute__((noinline)) static void create(void)
{
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		results[i] += burn(STEPS);
	}
	finish();
	/* Its frame must be there meanwhile. */
	results[2] += 1;
}

__attribute__((noinline)) static void meet(void)
{
#pragma omp barrier
	results[1] += 0;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;

	omp_set_num_threads(2);
#pragma omp parallel
	for (long i = 0; i < rounds; i++) {
		if (!omp_get_thread_num())
			create();
		meet();
	}
	return results[0] < 0;
}
