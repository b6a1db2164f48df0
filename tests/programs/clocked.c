/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clocked SECONDS [BURSTS]: every 4 ms it begins to work for 2 ms, half of that in first(), half in
 * second(), until that was so much CPU time.  Before that it works for BURSTS seconds of CPU time
 * in brief(), and sleeps after each 20 us or so.  Prints how much each of them had, and how many
 * timers the kernel knows of it then.
 */
#include "spend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double HALF = 1e-3;
static const long PERIOD = 4000000; /* ns */

static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void spin(void)
{
	for (unsigned long i = 0; i < 10000; i++)
		SPEND(i);
}

/* Works until SECONDS have been used; returns how many these were. */
#define WORK(name)                                                   \
	__attribute__((noinline)) static double name(double seconds) \
	{                                                            \
		double begin = used();                               \
		while (used() - begin < seconds)                     \
			spin();                                      \
		return used() - begin;                               \
	}
WORK(first)
WORK(second)
WORK(brief)

static int known(void)
{
	char line[256];
	int timers = 0;
	FILE *file = fopen("/proc/self/timers", "r");

	while (file && fgets(line, sizeof line, file))
		timers += !strncmp(line, "ID:", 3);
	if (file)
		fclose(file);
	return timers;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	double bursts = argc > 2 ? atof(argv[2]) : 0;
	const struct timespec moment = {.tv_nsec = 20000};
	struct timespec next;
	double had[3] = {0};

	while (had[0] < bursts) {
		had[0] += brief(1e-5);
		nanosleep(&moment, NULL);
	}
	clock_gettime(CLOCK_MONOTONIC, &next);
	while (had[1] + had[2] < seconds) {
		had[1] += first(HALF);
		had[2] += second(HALF);
		next.tv_nsec += PERIOD;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	printf("brief %.3f first %.3f second %.3f; %d timers\n", had[0], had[1], had[2], known());
	return 0;
}
