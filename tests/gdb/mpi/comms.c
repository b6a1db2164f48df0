/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three ranks that make communicators in all ways that MPI has beside MPI_Comm_dup and
 * MPI_Comm_split.  By each of them its first rank sends a message to its last one.  The messages
 * have one tag and a size for each communicator, and the receiver takes those of the later ones
 * first: if two communicators were one, or had each other's number, sizes would differ.
 */
#include <mpi.h>

enum { TAG = 1, BYTES = 8, MOST = 32 };

static int rank;
static char data[BYTES + MOST];
static MPI_Comm made[MOST];
static int count;

static void keep(MPI_Comm comm)
{
	made[count++] = comm;
}

/* Only ranks 0 and 2 know of what they make, while 1 makes another copy of the same parent. */
static void of_groups(void)
{
	const int both[] = {0, 2};
	MPI_Group world, group;
	MPI_Comm comm = MPI_COMM_NULL, copy;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, both, &group);
	for (int i = 0; i < 2; i++) {
		if (rank != 1)
			MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, &comm);
		keep(comm);
	}
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	keep(copy);
	MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
	keep(comm);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
}

static void grids(void)
{
	const int dims[] = {3, 1}, periods[] = {1, 0}, remain[] = {1, 0};
	const int index[] = {1, 2, 3}, edges[] = {1, 2, 0};
	int next = (rank + 1) % 3, before = (rank + 2) % 3, one = 1;
	MPI_Comm grid, comm;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	keep(grid);
	MPI_Cart_sub(grid, remain, &comm);
	keep(comm);
	MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &comm);
	keep(comm);
	MPI_Dist_graph_create(
		MPI_COMM_WORLD, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
	keep(comm);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
		MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
	keep(comm);
}

/* Copies that are there later; another one comes before that. */
static void copies(void)
{
	MPI_Comm comms[3];
	MPI_Request requests[2];

	MPI_Comm_idup(MPI_COMM_WORLD, &comms[0], &requests[0]);
	MPI_Comm_idup(made[2], &comms[1], &requests[1]);
	MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 3; i++)
		keep(comms[i]);
}

/* Two groups that become one. */
static void merged(void)
{
	MPI_Comm side, both, comm;

	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &side);
	MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 9, &both);
	for (int i = 0; i < 2; i++) {
		MPI_Intercomm_merge(both, rank == 2, &comm);
		keep(comm);
	}
}

/* The rank 0 of each communicator sends to its last one. */
static void send_by_all(void)
{
	MPI_Request requests[MOST];
	int sends = 0;

	for (int i = 0; i < count; i++) {
		int own, size;
		if (made[i] == MPI_COMM_NULL)
			continue;
		MPI_Comm_rank(made[i], &own);
		MPI_Comm_size(made[i], &size);
		if (own == 0)
			MPI_Isend(data, BYTES + i, MPI_CHAR, size - 1, TAG, made[i],
				&requests[sends++]);
	}
	for (int i = count - 1; i >= 0; i--) {
		int own, size;
		if (made[i] == MPI_COMM_NULL)
			continue;
		MPI_Comm_rank(made[i], &own);
		MPI_Comm_size(made[i], &size);
		if (own == size - 1)
			MPI_Recv(data, BYTES + i, MPI_CHAR, 0, TAG, made[i], MPI_STATUS_IGNORE);
		MPI_Barrier(made[i]);
	}
	MPI_Waitall(sends, requests, MPI_STATUSES_IGNORE);
}

/* Each rank sends to the next one and receives from the one before, by one request. */
static void exchange(void)
{
#if MPI_VERSION >= 4
	char other[BYTES];
	MPI_Request requests[2];

	MPI_Isendrecv(data, BYTES, MPI_CHAR, (rank + 1) % 3, TAG, other, BYTES, MPI_CHAR,
		(rank + 2) % 3, TAG, MPI_COMM_WORLD, &requests[0]);
	MPI_Isendrecv_replace(data, BYTES, MPI_CHAR, rank == 2 ? MPI_PROC_NULL : rank + 1, TAG,
		rank ? rank - 1 : MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#endif
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	of_groups();
	grids();
	copies();
	merged();
	send_by_all();
	exchange();
	MPI_Finalize();
	return 0;
}
