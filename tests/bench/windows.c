/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much slower sampling makes a program: one that works in windows of 0.1 s, sampled in every
 * other one, and compares each with its neighbours.
 *
 *	windows gdbprof|CONTROL THREADS DEPTH SLEEPERS SECONDS
 *
 * THREADS work, DEPTH calls deep, while SLEEPERS wake up in turn, one each ms.  gdbprof: it pauses
 * and resumes by gdbprof.h; else CONTROL is a fifo that `perf record --control' reads.  What is
 * compared is work done in a second of CPU that was to be had: by the clock, less what the thread
 * waited for one.
 */
#include "../../include/gdbprof.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW_MS = 100, SETTLE_MS = 40, MOST_THREADS = 1024, MOST_WINDOWS = 4096 };

static int control = -1;
static long threads, depth, sleepers;
static atomic_int window; /* the number of the one that goes on; negative: it is over */
static atomic_long units[MOST_THREADS][2]; /* done, and ns that were to be had, in this window */

#define KEPT __attribute__((noinline, noclone))

/* Some 5 us of work. */
KEPT static unsigned long leaf(unsigned long x)
{
	for (int i = 0; i < 4000; i++) {
		__asm__ volatile("" : "+r"(x));
		x = x * 6364136223846793005ul + 1442695040888963407ul;
	}
	return x;
}

static long clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000l + now.tv_nsec;
}

/* ns that the calling thread has waited for a CPU. */
static long waited(int schedstat)
{
	char text[96] = "";
	unsigned long long run, delay = 0;

	if (pread(schedstat, text, sizeof text - 1, 0) > 0)
		sscanf(text, "%llu %llu", &run, &delay);
	return (long)delay;
}

/* Works in one window after the other, until it is over. */
KEPT static void work(long number)
{
	int schedstat = open("/proc/thread-self/schedstat", O_RDONLY);
	unsigned long x = 1;

	while (atomic_load(&window) >= 0) {
		int current = atomic_load(&window);
		long begin = clock_ns() - waited(schedstat), done = 0;
		while (atomic_load(&window) == current) {
			x = leaf(x);
			done++;
		}
		long took = clock_ns() - waited(schedstat) - begin;
		atomic_store(&units[number][0], x ? done : 0);
		atomic_store(&units[number][1], took);
	}
	close(schedstat);
}

KEPT static void descend(long level, long number)
{
	if (level > 1)
		descend(level - 1, number);
	else
		work(number);
	__asm__ volatile("");
}

static void *run(void *number)
{
	descend(depth, (long)number);
	return NULL;
}

static void *doze(void *number)
{
	const struct timespec period = {sleepers / 1000, sleepers % 1000 * 1000000};

	while (atomic_load(&window) >= 0)
		nanosleep(&period, NULL);
	return number;
}

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void tell(const char *what)
{
	if (control >= 0 && write(control, what, strlen(what)) < 0)
		perror("windows: the fifo");
}

static void set_sampled(bool sampled)
{
	if (control >= 0)
		tell(sampled ? "enable\n" : "disable\n");
	else if (sampled)
		gdbprof_resume();
	else
		gdbprof_pause();
}

/* Work in a second, of all threads, in a window. */
static double measure(void)
{
	double sum = 0;

	sleep_ms(SETTLE_MS);
	atomic_fetch_add(&window, 1);
	sleep_ms(WINDOW_MS);
	atomic_fetch_add(&window, 1);
	sleep_ms(SETTLE_MS);
	for (long i = 0; i < threads; i++) {
		long took = atomic_load(&units[i][1]);
		sum += took > 0 ? (double)atomic_load(&units[i][0]) / (double)took : 0;
	}
	return sum;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	static double rates[MOST_WINDOWS], ratios[MOST_WINDOWS];
	pthread_t all[MOST_THREADS];
	size_t count = 0, ratio = 0;

	if (argc < 6)
		return 2;
	if (strcmp(argv[1], "gdbprof") != 0)
		control = open(argv[1], O_WRONLY);
	threads = atol(argv[2]);
	depth = atol(argv[3]);
	sleepers = atol(argv[4]);
	size_t wanted = (size_t)(atof(argv[5]) * 1000 / WINDOW_MS);
	for (long i = 0; i < threads + sleepers; i++)
		pthread_create(&all[i], NULL, i < threads ? run : doze, (void *)i);
	for (; count < wanted && count < MOST_WINDOWS; count++) {
		set_sampled(count % 2);
		rates[count] = measure();
	}
	atomic_store(&window, -1);
	for (long i = 0; i < threads + sleepers; i++)
		pthread_join(all[i], NULL);
	/* Each sampled one with the mean of those before and behind it. */
	for (size_t i = 1; i + 1 < count; i += 2)
		ratios[ratio++] = (rates[i - 1] + rates[i + 1]) / 2 / rates[i];
	qsort(ratios, ratio, sizeof *ratios, compare);
	/* GDB may have written the beginning of a line. */
	printf("\nmedian %.4f\nlower %.4f\nupper %.4f\nwindows %zu\n", ratios[ratio / 2],
		ratios[ratio / 4], ratios[ratio * 3 / 4], ratio);
	return 0;
}
