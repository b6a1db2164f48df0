/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank 0 computes for as many ms of CPU time as the first argument says, and then sends to rank 1,
 * which has been waiting for that since the beginning.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sum;

static void burn(long ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		for (int i = 0; i < 100000; i++)
			sum += (unsigned long)i;
}

static void wait_for_it(void)
{
	int got;

	MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int rank, sent = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		burn(atol(argv[1]));
		MPI_Send(&sent, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	} else {
		wait_for_it();
	}
	MPI_Finalize();
	return 0;
}
