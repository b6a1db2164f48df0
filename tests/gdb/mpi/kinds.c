/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each of two ranks sends to the other, and receives, in all ways: those of expect() are so many
 * messages and bytes, the same in both directions unless it says otherwise.  The last line tells
 * the sums: sends, bytes, receives, bytes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SOME = 2, MANY = 40 };

static int rank, other;
static int data[100], got[100];
static long sums[4];
static MPI_Request requests[2 * MANY], request;
static MPI_Status statuses[2 * MANY], status;

static void expect(long sends, long sent, long receives, long received)
{
	sums[0] += sends;
	sums[1] += sent;
	sums[2] += receives;
	sums[3] += received;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void both_at_once(void)
{
	MPI_Sendrecv(data, 3, MPI_INT, other, 1, got, 100, MPI_INT, other, 1, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(data, 5, MPI_INT, other, 2, other, 2, MPI_COMM_WORLD, &status);
	expect(2, 32, 2, 32);
}

static void nobody(void)
{
	MPI_Send(data, 5, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
	MPI_Recv(data, 5, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Irecv(data, 5, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Sendrecv(data, 5, MPI_INT, MPI_PROC_NULL, 2, got, 5, MPI_INT, MPI_PROC_NULL, 2,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(0, 0, 0, 0);
}

/* So many of each that they fit into no buffer of fixed size, and few. */
static void all_at_once(int count, MPI_Status *into)
{
	for (int i = 0; i < count; i++) {
		MPI_Irecv(got + i, 10, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &requests[i]);
		MPI_Isend(data, 1, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &requests[count + i]);
	}
	MPI_Waitall(2 * count, requests, into);
	expect(count, count * sizeof(int), count, count * sizeof(int));
}

/* Completes SOME requests as KIND says. */
static void complete(int kind)
{
	int left = SOME, index, flag, count, indices[SOME];

	while (left) {
		switch (kind) {
		case 0:
			MPI_Waitany(SOME, requests, &index, MPI_STATUS_IGNORE);
			left--;
			break;
		case 1:
			MPI_Waitsome(SOME, requests, &count, indices, MPI_STATUSES_IGNORE);
			left -= count;
			break;
		case 2:
			MPI_Testall(SOME, requests, &flag, statuses);
			left = flag ? 0 : left;
			break;
		case 3:
			MPI_Testany(SOME, requests, &index, &flag, &status);
			left -= flag;
			break;
		case 4:
			MPI_Testsome(SOME, requests, &count, indices, statuses);
			left -= count;
			break;
		default:
			MPI_Test(&requests[left - 1], &flag, MPI_STATUS_IGNORE);
			left -= flag;
		}
	}
}

static void one_after_another(int kind)
{
	for (int i = 0; i < SOME; i++) {
		MPI_Irecv(got + i, 1, MPI_INT, other, 20 + i, MPI_COMM_WORLD, &requests[i]);
		MPI_Send(data, 1, MPI_INT, other, 20 + i, MPI_COMM_WORLD);
	}
	complete(kind);
	expect(SOME, SOME * sizeof(int), SOME, SOME * sizeof(int));
}

static void persistent(void)
{
	MPI_Send_init(data, 2, MPI_INT, other, 40, MPI_COMM_WORLD, &requests[0]);
	MPI_Recv_init(got, 10, MPI_INT, other, 40, MPI_COMM_WORLD, &requests[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Start(&requests[1]);
	MPI_Start(&requests[0]);
	MPI_Wait(&requests[1], &status);
	MPI_Wait(&requests[0], &status);
	/* It is not active, and receives nothing. */
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	expect(3, 24, 3, 24);
}

static void cancelled(void)
{
	MPI_Irecv(got, 1, MPI_INT, other, 50, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(0, 0, 0, 0);
}

/* With another communicator, whose ranks are those of the world backwards. */
static void reversed(void)
{
	MPI_Comm comm;
	double numbers[3] = {0};
	int own;

	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
	MPI_Comm_rank(comm, &own);
	MPI_Irecv(got, 3, MPI_DOUBLE, MPI_ANY_SOURCE, 3, comm, &request);
	MPI_Send(numbers, 3, MPI_DOUBLE, 1 - own, 3, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&comm);
	expect(1, 24, 1, 24);
}

/* A message of elements with gaps between them. */
static void vectors(void)
{
	MPI_Datatype vector;

	MPI_Type_vector(4, 1, 3, MPI_INT, &vector);
	MPI_Type_commit(&vector);
	MPI_Sendrecv(
		data, 1, vector, other, 70, got, 1, vector, other, 70, MPI_COMM_WORLD, &status);
	MPI_Type_free(&vector);
	expect(1, 16, 1, 16);
}

/* What is sent counts also if nobody waits for it; what is received does not. */
static void never_complete(void)
{
	MPI_Isend(data, 1, MPI_INT, other, 60, MPI_COMM_WORLD, &request);
	MPI_Request_free(&request);
	MPI_Irecv(got, 1, MPI_INT, other, 60, MPI_COMM_WORLD, &request);
	expect(1, 4, 0, 0);
}

static void collective(void)
{
	MPI_Allreduce(MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, MPI_COMM_WORLD);
	expect(0, 0, 0, 0);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	both_at_once();
	nobody();
	all_at_once(SOME, statuses);
	all_at_once(MANY, MPI_STATUSES_IGNORE);
	for (int kind = 0; kind < 6; kind++)
		one_after_another(kind);
	persistent();
	cancelled();
	reversed();
	vectors();
	never_complete();
	collective();
	MPI_Finalize();
	printf("expected %ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
	return 0;
}
