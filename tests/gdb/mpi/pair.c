/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two messages of 40 bytes each from rank 0 to rank 1, and two collective calls.  The first
 * argument is a number of ms that rank 1 stays away before it receives.
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static void exchange(int rank)
{
	int data[100] = {0};
	double more[5] = {0};
	MPI_Request request;

	if (rank == 0) {
		MPI_Send(data, 10, MPI_INT, 1, 7, MPI_COMM_WORLD);
		MPI_Isend(more, 5, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Recv(data, 100, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Irecv(more, 5, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Bcast(data, 10, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1 && argc > 1)
		usleep(atoi(argv[1]) * 1000);
	exchange(rank);
	MPI_Finalize();
	return 0;
}
