/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * stencil ROUNDS THREADS: Jacobi's iteration for the heat equation on a cube, each cell the mean of
 * its six neighbours, in one parallel region with a barrier after each sweep, as the stencil of the
 * Parallel Research Kernels; the planes are handed out dynamically, and the change is added up in a
 * critical section.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64, PLANE = SIDE * SIDE };

static double cells[2][SIDE * PLANE];

/* Computes the plane NUMBER of TO, and returns how much it has changed. */
__attribute__((noinline)) static double sweep(double *to, const double *from, int number)
{
	double change = 0;

	for (int i = 1; i < SIDE - 1; i++) {
		for (int j = 1; j < SIDE - 1; j++) {
			int at = number * PLANE + i * SIDE + j;
			to[at] = (from[at - 1] + from[at + 1] + from[at - SIDE] + from[at + SIDE] +
					 from[at - PLANE] + from[at + PLANE]) /
				6;
			change += fabs(to[at] - from[at]);
		}
	}
	return change;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;
	double change = 0;

	if (argc > 2)
		omp_set_num_threads(atoi(argv[2]));
	for (int i = 0; i < PLANE; i++)
		cells[0][i] = cells[1][i] = 100;
#pragma omp parallel
	for (long round = 0; round < rounds; round++) {
		double own = 0;
#pragma omp single
		change = 0;
#pragma omp for schedule(dynamic, 4) nowait
		for (int i = 1; i < SIDE - 1; i++)
			own += sweep(cells[(round + 1) % 2], cells[round % 2], i);
#pragma omp critical
		change += own;
#pragma omp barrier
	}
	printf("the last sweep has changed %g\n", change);
	return 0;
}
