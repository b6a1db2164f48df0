/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * cg ROUNDS THREADS: solves A x = b by the conjugate gradient method of Hestenes and Stiefel
 * (1952), A being the five-point Laplacian of a square.  Each step has a product of matrix and
 * vector, two dot products and three updates of vectors, in a parallel region each.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 160, SIZE = SIDE * SIDE, STEPS = 60 };

static double x[SIZE], r[SIZE], p[SIZE], q[SIZE];
static volatile long products, updates; /* the functions do not end in the call of a runtime */

/* q = A p */
__attribute__((noinline)) static void multiply(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < SIDE; i++) {
		for (int j = 0; j < SIDE; j++) {
			int at = i * SIDE + j;
			double sum = 4 * p[at];
			sum -= i > 0 ? p[at - SIDE] : 0;
			sum -= i < SIDE - 1 ? p[at + SIDE] : 0;
			sum -= j > 0 ? p[at - 1] : 0;
			sum -= j < SIDE - 1 ? p[at + 1] : 0;
			q[at] = sum;
		}
	}
	products++;
}

__attribute__((noinline)) static double dot(const double *a, const double *b)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum) schedule(static)
	for (int i = 0; i < SIZE; i++)
		sum += a[i] * b[i];
	return sum;
}

/* to = from + factor * by */
__attribute__((noinline)) static void update(
	double *to, const double *from, double factor, const double *by)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < SIZE; i++)
		to[i] = from[i] + factor * by[i];
	updates++;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;
	double rest = 0;

	if (argc > 2)
		omp_set_num_threads(atoi(argv[2]));
	for (long round = 0; round < rounds; round++) {
		for (int i = 0; i < SIZE; i++) {
			x[i] = 0;
			r[i] = p[i] = 1;
		}
		rest = dot(r, r);
		for (int step = 0; step < STEPS; step++) {
			multiply();
			double alpha = rest / dot(p, q);
			update(x, x, alpha, p);
			update(r, r, -alpha, q);
			double next = dot(r, r);
			update(p, r, next / rest, p);
			rest = next;
		}
	}
	printf("the rest is %g\n", sqrt(rest));
	return 0;
}
