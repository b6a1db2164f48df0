/* Threads that live for less than a tick, one after the other: churn THREADS. */
#include "cpu.h"
#include "spend.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *brief(void *argument)
{
	for (long i = 0; i < 300000; i++)
		SPEND(i);
	return argument;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 2000;
	pthread_t thread;

	for (long i = 0; i < threads; i++) {
		pthread_create(&thread, NULL, brief, NULL);
		pthread_join(thread, NULL);
	}
	print_cpu();
	return 0;
}
