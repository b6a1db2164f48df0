/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tasks N THREADS: Fibonacci's number N, by a task for each of the larger ones. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAF = 24 }; /* smaller ones are no tasks */

__attribute__((noinline)) static long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
	if (n < LEAF)
		return fib(n - 1) + fib(n - 2);
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 36;
	long sum = 0;

	if (argc > 2)
		omp_set_num_threads(atoi(argv[2]));
#pragma omp parallel
#pragma omp single
	sum = fib(n);
	printf("%ld\n", sum);
	return 0;
}
