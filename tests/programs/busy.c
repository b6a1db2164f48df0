/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * So many threads that compute until the process is killed, or for ten minutes.
 *
 *	busy [THREADS]
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *compute(void *argument)
{
	for (volatile unsigned long turns = 0;; turns++)
		;
	return argument;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 8;

	alarm(600);
	for (int i = 1; i < threads; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, compute, NULL);
	}
	compute(NULL);
}
