/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much slower tracing makes messages: two ranks that send BYTES to each other in turn, in
 *windows of 50 ms.
 *
 *	pingpong BYTES SECONDS [clock|counter]
 *
 * In every other window they call MPI_Send() and MPI_Recv() as programs do, which gdbprof traces;
 * in those between by the addresses of these functions, which it does not.  Each window is compared
 * with its neighbours.  With "clock" none is traced, but in every other one they look at the clock
 * before and after each call, and keep the times; with "counter" they read the time stamp counter
 * instead, the cheapest clock that there is: no tracer that records times can be cheaper.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOW_MS = 50, MOST_WINDOWS = 8192, WARMING = 20 };

static int rank;
static char *message;
static int size;

/* The same functions, past the slots through which programs call libraries. */
static __typeof__(&MPI_Send) send_directly;
static __typeof__(&MPI_Recv) receive_directly;

/* Only look at a clock, instead of having calls traced. */
static enum { NO_LOOKS, CLOCK, COUNTER } looks;

static void look(int at_clock)
{
	static volatile unsigned long long last;
	struct timespec now;

	if (!at_clock)
		return;
	if (looks == COUNTER) {
		last = __builtin_ia32_rdtsc();
	} else {
		clock_gettime(CLOCK_MONOTONIC, &now);
		last = (unsigned long long)now.tv_sec * 1000000000 +
			(unsigned long long)now.tv_nsec;
	}
}

static void give(int other)
{
	int traced = other && !looks;

	look(other && looks);
	if (traced)
		MPI_Send(message, size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
	else
		send_directly(message, size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
	look(other && looks);
}

static void take(int other)
{
	int traced = other && !looks;

	look(other && looks);
	if (traced)
		MPI_Recv(message, size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		receive_directly(
			message, size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	look(other && looks);
}

/* One round trip; rank 0 tells by LAST whether it is the last one of a window.  Returns that. */
static int exchange(int other, int last)
{
	if (rank)
		take(other);
	else
		message[0] = (char)last;
	last = message[0];
	give(other);
	if (!rank)
		take(other);
	return last;
}

/* Round trips in a window; returns the seconds of one, and adds their number to *COUNT. */
static double measure(int other, long *count)
{
	long done = 0;

	for (int i = 0; i < WARMING; i++)
		exchange(other, 0);
	double begin = MPI_Wtime(), now = begin;
	do {
		done++;
		now = MPI_Wtime();
	} while (!exchange(other, (now - begin) * 1000 >= WINDOW_MS));
	*count += done + WARMING;
	return (MPI_Wtime() - begin) / (double)done;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Prints what COUNT windows of SECONDS a round trip have in common; every other one is traced. */
static void print(const double *seconds, size_t count, long traced)
{
	static double ratios[MOST_WINDOWS];
	double least[2] = {seconds[0], seconds[1]};
	size_t ratio = 0;

	for (size_t i = 0; i < count; i++)
		if (seconds[i] < least[i % 2])
			least[i % 2] = seconds[i];
	for (size_t i = 1; i + 1 < count; i += 2)
		ratios[ratio++] = seconds[i] / (seconds[i - 1] + seconds[i + 1]) * 2;
	qsort(ratios, ratio, sizeof *ratios, compare);
	/* Each rank sends and receives once in a round trip. */
	printf("round-us %.3f\ncalls-a-second %.0f\ncalls %ld\n", least[0] * 1e6, 4 / least[1],
		4 * traced);
	printf("median %.4f\nlower %.4f\nupper %.4f\nbest %.4f\nwindows %zu\n", ratios[ratio / 2],
		ratios[ratio / 4], ratios[ratio * 3 / 4], least[1] / least[0], ratio);
}

int main(int argc, char **argv)
{
	static double seconds[MOST_WINDOWS];
	long counts[2] = {0};
	size_t count = 0;

	MPI_Init(&argc, &argv);
	if (argc < 3)
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	size = atoi(argv[1]);
	if (argc > 3)
		looks = strcmp(argv[3], "clock") ? COUNTER : CLOCK;
	message = calloc(1, (size_t)size);
	*(void **)&send_directly = dlsym(RTLD_DEFAULT, "MPI_Send");
	*(void **)&receive_directly = dlsym(RTLD_DEFAULT, "MPI_Recv");
	for (size_t wanted = (size_t)(atof(argv[2]) * 1000 / WINDOW_MS);
		count < wanted && count < MOST_WINDOWS; count++)
		seconds[count] = measure(count % 2, &counts[count % 2]);
	if (!rank && count > 2)
		print(seconds, count, counts[1]);
	free(message);
	MPI_Finalize();
	return 0;
}
