/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks in a ring: each sends ten messages to the next one, of as many ints as its rank, from 1 on,
 * by a communicator in which the ranks are backwards.
 */
#include <mpi.h>

enum { MESSAGES = 10, MOST = 64 };

int main(int argc, char **argv)
{
	int world, rank, size, sent[MOST] = {0}, got[MOST];
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &world);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -world, &comm);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int i = 0; i < MESSAGES; i++)
		MPI_Sendrecv(sent, world + 1, MPI_INT, (rank + size - 1) % size, 1, got, MOST,
			MPI_INT, (rank + 1) % size, 1, comm, MPI_STATUS_IGNORE);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
