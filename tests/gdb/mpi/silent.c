/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that send each other nothing. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Finalize();
	return 0;
}
