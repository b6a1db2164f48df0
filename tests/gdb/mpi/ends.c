/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks that end in other ways than by MPI_Finalize(), as the first argument says: "leave", or
 * "crash", "abort" and "kill", which rank 1 does while rank 0 waits for it in vain; or threads of
 * both ranks that communicate with each other at the same time, "threads".  Each rank first sends
 * one int, and receives one.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, MESSAGES = 100 };

static int rank, other;

static void exchange(int tag)
{
	int sent = 0, got;
	MPI_Request requests[2];

	MPI_Irecv(&got, 1, MPI_INT, other, tag, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(&sent, 1, MPI_INT, other, tag, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void *work(void *context)
{
	for (int i = 0; i < MESSAGES; i++)
		exchange(1 + (int)(size_t)context);
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_Finalize();
	puts("threads are done");
}

int main(int argc, char **argv)
{
	const char *how = argv[1];
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	exchange(0);
	if (!strcmp(how, "threads"))
		run_threads();
	else if (!strcmp(how, "leave"))
		_Exit(0);
	else if (rank == 0)
		MPI_Barrier(MPI_COMM_WORLD);
	else if (!strcmp(how, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 3);
	else if (!strcmp(how, "kill"))
		raise(SIGKILL);
	else if (!strcmp(how, "crash"))
		*(volatile int *)0 = 1;
	return 0;
}
