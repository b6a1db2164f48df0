/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks that have the command of the arguments started as a job of two more, MPI_Comm_spawn(): rank
 * 0 sends an int to each of these.
 */
#include <mpi.h>
#include <stddef.h>

enum { CHILDREN = 2 };

int main(int argc, char **argv)
{
	int rank, number = 0;
	MPI_Comm others;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&others);
	if (others != MPI_COMM_NULL)
		MPI_Recv(&number, 1, MPI_INT, 0, 0, others, MPI_STATUS_IGNORE);
	else
		MPI_Comm_spawn(argv[1], argv + 2, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
			&others, MPI_ERRCODES_IGNORE);
	for (int i = 0; i < CHILDREN && argc > 1 && !rank; i++)
		MPI_Send(&number, 1, MPI_INT, i, 0, others);
	MPI_Comm_disconnect(&others);
	MPI_Finalize();
	return 0;
}
