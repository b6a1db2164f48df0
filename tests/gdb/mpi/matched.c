/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three ranks that send nine messages by communicators of all kinds, and receive some of them by
 * matched probes; of those with equal tags the receiver takes the later one first.
 */
#include <mpi.h>

enum { FIRST = 1, SECOND = 2 }; /* tags */

static int rank;
static char data[64];

static void send(int bytes, int to, int tag, MPI_Comm comm)
{
	MPI_Send(data, bytes, MPI_CHAR, to, tag, comm);
}

static void receive(int from, int tag, MPI_Comm comm)
{
	MPI_Recv(data, sizeof data, MPI_CHAR, from, tag, comm, MPI_STATUS_IGNORE);
}

/* The ranks of a machine. */
static void shared(void)
{
	MPI_Comm comm;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm);
	if (rank == 0)
		send(11, 1, FIRST, comm);
	if (rank == 1)
		receive(0, FIRST, comm);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
}

/* Ranks 0 and 1 on one side, and 2 on the other. */
static void between_groups(void)
{
	MPI_Comm side, comms[3], all;

	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &side);
	for (int i = 0; i < 2; i++)
		MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 9, &comms[i]);
	MPI_Comm_dup(comms[1], &comms[2]);
	for (int i = 0; i < 3 && rank == 0; i++)
		send(10 + 10 * i, 0, FIRST, comms[i]);
	for (int i = 2; i >= 0 && rank == 2; i--)
		receive(0, FIRST, comms[i]);
	if (rank == 2)
		send(50, 1, SECOND, comms[0]);
	if (rank == 1)
		receive(0, SECOND, comms[0]);
	MPI_Barrier(comms[0]);
	MPI_Intercomm_merge(comms[0], rank == 2, &all);
	if (rank == 2)
		send(40, 0, FIRST, all);
	if (rank == 0)
		receive(2, FIRST, all);
	MPI_Barrier(all);
}

static void probed(void)
{
	MPI_Message messages[2];
	MPI_Request request;
	int there = 0;

	if (rank == 1) {
		send(5, 0, FIRST, MPI_COMM_WORLD);
		send(6, 0, FIRST, MPI_COMM_WORLD);
	}
	if (rank == 2)
		send(7, 0, SECOND, MPI_COMM_WORLD);
	if (rank)
		return;
	for (int i = 0; i < 2; i++)
		MPI_Mprobe(1, FIRST, MPI_COMM_WORLD, &messages[i], MPI_STATUS_IGNORE);
	MPI_Mrecv(data, 6, MPI_CHAR, &messages[1], MPI_STATUS_IGNORE);
	MPI_Imrecv(data, 5, MPI_CHAR, &messages[0], &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	while (!there)
		MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &messages[0],
			MPI_STATUS_IGNORE);
	MPI_Mrecv(data, 7, MPI_CHAR, &messages[0], MPI_STATUS_IGNORE);
	/* From nobody there is none. */
	MPI_Mprobe(MPI_PROC_NULL, FIRST, MPI_COMM_WORLD, &messages[0], MPI_STATUS_IGNORE);
	MPI_Mrecv(data, 7, MPI_CHAR, &messages[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	shared();
	between_groups();
	probed();
	MPI_Finalize();
	return 0;
}
