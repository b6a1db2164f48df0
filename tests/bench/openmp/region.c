/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * region THREADS SECONDS FILE: opens empty parallel regions, and writes to FILE how many ns one
 * takes: the median, and the least, of stretches of 500 regions.  With -DLOOPS these are empty
 * loops in one region, without a barrier at their ends.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { REGIONS = 500, MOST = 100000 };

static double spans[MOST]; /* seconds */

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

#ifdef LOOPS
static double measure(int threads)
{
	double spent = 0;

#pragma omp parallel num_threads(threads)
	{
		double begin = omp_get_wtime();
		for (int i = 0; i < REGIONS; i++) {
#pragma omp for schedule(static) nowait
			for (int j = 0; j < 2; j++)
				__asm__ volatile("");
		}
#pragma omp master
		spent = omp_get_wtime() - begin;
	}
	return spent;
}
#else
static double measure(int threads)
{
	double begin = omp_get_wtime();

	for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(threads)
		__asm__ volatile("");
	}
	return omp_get_wtime() - begin;
}
#endif

int main(int argc, char **argv)
{
	FILE *file = argc > 3 ? fopen(argv[3], "w") : NULL;
	int count = 0;

	if (!file)
		return 2;
	int threads = atoi(argv[1]);
	double end = omp_get_wtime() + atof(argv[2]);

	while (omp_get_wtime() < end && count < MOST)
		spans[count++] = measure(threads);
	qsort(spans, (size_t)count, sizeof *spans, compare);
	fprintf(file, "median %.1f\nleast %.1f\n", spans[count / 2] * 1e9 / REGIONS,
		spans[0] * 1e9 / REGIONS);
	return fclose(file) != 0;
}
