/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks in a ring that communicate in all ways for as many seconds as the first argument says: the
 * threads of a rank with those of its neighbours at the same time, without waiting, and all
 * together.  Each rank prints how many messages it has sent and received.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, MESSAGES = 20, INTS = 5000 };

static int rank, size;
static atomic_long sent, received, wrong;

/* Hands COUNT ints to the next rank, and checks those of the one before. */
static void hand_on(int tag, int count)
{
	int own[INTS], got[INTS];
	MPI_Request requests[2];

	for (int i = 0; i < count; i++)
		own[i] = rank * INTS + i;
	MPI_Irecv(got, INTS, MPI_INT, (rank + size - 1) % size, tag, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(own, count, MPI_INT, (rank + 1) % size, tag, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	atomic_fetch_add(&sent, 1);
	atomic_fetch_add(&received, 1);
	for (int i = 0; i < count; i++)
		if (got[i] != (rank + size - 1) % size * INTS + i)
			atomic_fetch_add(&wrong, 1);
}

static void *work(void *number)
{
	for (int i = 0; i < MESSAGES; i++)
		hand_on(1 + (int)(size_t)number, i % 5 ? 1 + i : INTS);
	return NULL;
}

/* One round; returns whether rank 0 says GO_ON. */
static int communicate(int go_on)
{
	pthread_t threads[THREADS];
	int ranks = 0, one = 1;

	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	hand_on(0, 1);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (ranks != size)
		atomic_fetch_add(&wrong, 1);
	MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return go_on;
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	double end = MPI_Wtime() + atof(argv[1]);
	while (communicate(MPI_Wtime() < end))
		;
	printf("sent %ld received %ld wrong %ld\n", atomic_load(&sent), atomic_load(&received),
		atomic_load(&wrong));
	MPI_Finalize();
	return 0;
}
