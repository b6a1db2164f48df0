/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program to sample: a fixed amount of work, some 20 calls deep, that tells how long it took, and
 * of that its own time: that its busy threads ran, waited for each other, or were kept stopped.  It
 * is what is left when they do not wait for a CPU, so that what else the machine does hardly
 * matters.
 *
 *	load busy THREADS UNITS		UNITS of work, shared by THREADS
 *	load mutex THREADS UNITS	the same, most of it by one at a time
 *	load idle THREADS UNITS		by one thread, while the others wake in turn, one each ms
 *
 * The first thread also tells of every unit that took much longer than it should have, in ns, and
 * how long the quickest one took: its stops, as it has seen them.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	LEVELS = 20,
	MOST_THREADS = 1024,
	MOST_GAPS = 65536,
	GAP = 4000, /* ns more than the quickest unit */
	INSIDE = 8, /* units with the mutex held, and OUTSIDE without */
	OUTSIDE = 2,
};

struct part {
	pthread_t thread;
	unsigned long result;
	double own; /* seconds */
};

static struct part parts[MOST_THREADS];
static long threads, units_each;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long gaps[MOST_GAPS];
static size_t gap_count;
static long quickest = 1000000000;

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

static long nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000l + now.tv_nsec;
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

static double seconds(void)
{
	return (double)nanoseconds() / 1e9;
}

/* A unit of the first thread, with its time. */
static unsigned long timed_unit(unsigned long x)
{
	long begin = nanoseconds();
	x = even(1, x);
	long took = nanoseconds() - begin;

	if (took < quickest)
		quickest = took;
	if (took > quickest + GAP && gap_count < MOST_GAPS)
		gaps[gap_count++] = took;
	return x;
}

static void *work(void *context)
{
	struct part *part = context;
	double begin = seconds() - waited();

	part->result = 1;
	for (long i = 0; i < units_each; i++)
		part->result = part == parts ? timed_unit(part->result) : even(1, part->result);
	part->own = seconds() - waited() - begin;
	return NULL;
}

static void *work_in_turn(void *context)
{
	struct part *part = context;
	double begin = seconds() - waited();

	part->result = 1;
	for (long i = 0; i < units_each; i += INSIDE + OUTSIDE) {
		pthread_mutex_lock(&mutex);
		for (int k = 0; k < INSIDE; k++)
			part->result = even(1, part->result);
		pthread_mutex_unlock(&mutex);
		for (int k = 0; k < OUTSIDE; k++)
			part->result = even(1, part->result);
	}
	part->own = seconds() - waited() - begin;
	return NULL;
}

static void *doze(void *context)
{
	struct part *part = context;
	const struct timespec period = {threads / 1000, threads % 1000 * 1000000};

	for (;;) {
		nanosleep(&period, NULL);
		part->result = even(1, part->result);
	}
	return NULL;
}

/* The others, FUNCTION each; those that doze begin at different times. */
static void begin_others(void *(*function)(void *), bool apart)
{
	const struct timespec pause = {0, 1000000};
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	for (long i = 1; i < threads; i++) {
		if (pthread_create(&parts[i].thread, &attributes, function, &parts[i])) {
			fprintf(stderr, "There cannot be %ld threads.\n", threads);
			exit(1);
		}
		if (apart)
			nanosleep(&pause, NULL);
	}
	pthread_attr_destroy(&attributes);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 3 ? argv[1] : "";
	bool idle = !strcmp(kind, "idle");
	void *(*function)(void *) = strcmp(kind, "mutex") ? work : work_in_turn;
	double own = 0;

	threads = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
	if (threads < 1 || threads > MOST_THREADS) {
		fprintf(stderr, "usage: load busy|mutex|idle THREADS UNITS\n");
		return 1;
	}
	units_each = strtol(argv[3], NULL, 10) / (idle ? 1 : threads);
	if (idle)
		begin_others(doze, true);
	double begin = seconds();
	if (!idle)
		begin_others(function, false);
	function(&parts[0]);
	for (long i = 1; i < threads && !idle; i++)
		pthread_join(parts[i].thread, NULL);
	double end = seconds();
	for (long i = 0; i < threads; i++)
		own += parts[i].own;
	printf("took %.6f s, %.6f s its own; a unit %ld ns; longer:", end - begin, own, quickest);
	for (size_t i = 0; i < gap_count; i++)
		printf(" %ld", gaps[i]);
	printf("\n");
	/* What sleeps need not be waited for. */
	return 0;
}
