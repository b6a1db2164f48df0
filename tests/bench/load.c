/*
 * A program to sample: a fixed amount of work, some 20 calls deep, that tells how long it took, and
 * of that its threads' own time, all added up: that they ran, or were kept stopped.  It is what is
 * left when they do not wait for a CPU, so that what else the machine does hardly matters.
 *
 *	load THREADS UNITS	UNITS of work, shared by THREADS
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LEVELS = 20, MOST_THREADS = 64 };

static long units_each;

#define KEPT __attribute__((noinline, noclone))

KEPT static unsigned long leaf(unsigned long x)
{
	for (int i = 0; i < 2000; i++) {
		__asm__ volatile("" : "+r"(x));
		x = x * 6364136223846793005ul + 1442695040888963407ul;
	}
	return x;
}

/* Two of them, so that it is no recursion of one function only. */
KEPT static unsigned long odd(int level, unsigned long x);

KEPT static unsigned long even(int level, unsigned long x)
{
	unsigned long y = level < LEVELS ? odd(level + 1, x) : leaf(x);

	__asm__ volatile("" : "+r"(y));
	return y + 1;
}

KEPT static unsigned long odd(int level, unsigned long x)
{
	unsigned long y = level < LEVELS ? even(level + 1, x) : leaf(x);

	__asm__ volatile("" : "+r"(y));
	return y + 3;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds that this thread has waited for a CPU. */
static double waited(void)
{
	char text[96] = "";
	unsigned long long run, delay = 0;
	int fd = open("/proc/thread-self/schedstat", O_RDONLY);

	if (fd >= 0) {
		if (read(fd, text, sizeof text - 1) > 0)
			sscanf(text, "%llu %llu", &run, &delay);
		close(fd);
	}
	return (double)delay / 1e9;
}

struct part {
	pthread_t thread;
	unsigned long result;
	double own; /* seconds */
};

static void *work(void *context)
{
	struct part *part = context;
	double begin = seconds() - waited();

	part->result = 1;
	for (long i = 0; i < units_each; i++)
		part->result = even(1, part->result);
	part->own = seconds() - waited() - begin;
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	long units = argc > 2 ? strtol(argv[2], NULL, 10) : 100000;
	struct part parts[MOST_THREADS];
	double own = 0;

	if (threads < 1 || threads > MOST_THREADS)
		return 1;
	units_each = units / threads;
	double begin = seconds();
	for (long i = 1; i < threads; i++)
		pthread_create(&parts[i].thread, NULL, work, &parts[i]);
	work(&parts[0]);
	for (long i = 1; i < threads; i++)
		pthread_join(parts[i].thread, NULL);
	double end = seconds();
	for (long i = 0; i < threads; i++)
		own += parts[i].own;
	printf("took %.6f s, %.6f s its own\n", end - begin, own);
	return 0;
}
