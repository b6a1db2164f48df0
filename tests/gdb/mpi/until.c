/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks that exchange ints until the file of the first argument is there, and 100 times more.
 * Each first writes its process ID into the file "pid.RANK".
 */
#include "../../programs/cpu.h"

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { LAST = 100 };

static int rank;

/* Exchanges ints with the other rank; the result is that of rank 0. */
static int exchange(int own)
{
	int other = 0;

	MPI_Sendrecv(&own, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	return rank ? other : own;
}

/* Computes for some tenths of a second, whatever the machine. */
__attribute__((noinline)) static void work(void)
{
	burn(0.3);
}

static void write_process(void)
{
	char path[16], made[24];

	snprintf(path, sizeof path, "pid.%d", rank);
	snprintf(made, sizeof made, "%s.new", path);
	FILE *file = fopen(made, "w");
	if (!file)
		return;
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
	rename(made, path);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	write_process();
	while (!exchange(!access(argv[1], F_OK)))
		usleep(1000);
	work();
	for (int i = 0; i < LAST; i++)
		exchange(0);
	MPI_Finalize();
	puts("until the end");
	return 0;
}
