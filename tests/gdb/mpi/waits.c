/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks, of which one lets the other wait, each time for as many ms as the first argument says,
 * in all ways that there are.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { LARGE = 1 << 20 };

static int rank, other;
static char data[LARGE], got[LARGE];
static struct timespec delay;

/* RANK comes later than the other one. */
static void be_late(int late)
{
	MPI_Sendrecv(NULL, 0, MPI_INT, other, 1, NULL, 0, MPI_INT, other, 1, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	if (rank == late)
		nanosleep(&delay, NULL);
}

static void late_sender(MPI_Comm comm)
{
	MPI_Request request;

	be_late(0);
	if (rank == 0)
		MPI_Send(data, 10, MPI_CHAR, 1, 2, comm);
	else
		MPI_Recv(got, 10, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
	be_late(1);
	if (rank == 1) {
		MPI_Send(data, 20, MPI_CHAR, 0, 3, comm);
	} else {
		MPI_Irecv(got, 20, MPI_CHAR, 1, 3, comm, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

static void late_receiver(MPI_Comm comm)
{
	MPI_Request request;

	be_late(1);
	if (rank == 0)
		MPI_Ssend(data, 30, MPI_CHAR, 1, 4, comm);
	else
		MPI_Recv(got, 30, MPI_CHAR, 0, 4, comm, MPI_STATUS_IGNORE);
	be_late(0);
	if (rank == 1) {
		MPI_Issend(data, 40, MPI_CHAR, 0, 5, comm, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(got, 40, MPI_CHAR, 1, 5, comm, MPI_STATUS_IGNORE);
	}
	be_late(1);
	if (rank == 0)
		MPI_Send(data, LARGE, MPI_CHAR, 1, 6, comm);
	else
		MPI_Recv(got, LARGE, MPI_CHAR, 0, 6, comm, MPI_STATUS_IGNORE);
}

static void collective(MPI_Comm comm)
{
	int mine = 1, sum;

	be_late(1);
	MPI_Barrier(comm);
	be_late(0);
	MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
	be_late(0);
	MPI_Bcast(&sum, 1, MPI_INT, 0, comm);
	be_late(1);
	MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 0;
	MPI_Comm reversed;

	delay = (struct timespec){ms / 1000, ms % 1000 * 1000000};
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	late_sender(MPI_COMM_WORLD);
	late_receiver(MPI_COMM_WORLD);
	collective(MPI_COMM_WORLD);
	/* Messages by another communicator do not mix with those. */
	MPI_Comm_dup(MPI_COMM_WORLD, &reversed);
	if (rank == 0) {
		MPI_Send(data, 50, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
		MPI_Send(data, 60, MPI_CHAR, 1, 7, reversed);
	} else {
		MPI_Recv(got, 60, MPI_CHAR, 0, 7, reversed, MPI_STATUS_IGNORE);
		MPI_Recv(got, 50, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Comm_free(&reversed);
	MPI_Finalize();
	return 0;
}
