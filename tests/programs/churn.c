/* Threads that live for less than a tick, one after the other: churn THREADS. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static void *brief(void *argument)
{
	for (volatile long i = 0; i < 300000; i++)
		;
	return argument;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 2000;
	pthread_t thread;
	struct rusage usage;

	for (long i = 0; i < threads; i++) {
		pthread_create(&thread, NULL, brief, NULL);
		pthread_join(thread, NULL);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("cpu %ld.%06ld\n",
		usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
			(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000000,
		(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) % 1000000);
	return 0;
}
