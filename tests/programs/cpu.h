/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU time, for the programs here: to use some of it, and to tell what was used. */
#ifndef PROF_TESTS_PROGRAMS_CPU_H
#define PROF_TESTS_PROGRAMS_CPU_H

#include "spend.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

/*
 * Uses SECONDS of the thread's CPU time, and returns what it was: more where a virtual machine
 * stood still meanwhile, and the kernel does not know it.
 */
__attribute__((noinline, unused)) static double burn(double seconds)
{
	static volatile unsigned long turns;
	struct timespec begin, now;
	double used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (int i = 0; i < 100000; i++)
			SPEND(i);
		turns++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		used = (double)(now.tv_sec - begin.tv_sec) +
			(double)(now.tv_nsec - begin.tv_nsec) / 1e9;
	} while (used < seconds);
	return used;
}

/* Prints what the process has used until now, in s. */
__attribute__((unused)) static void print_cpu(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("cpu %ld.%06ld\n",
		usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
			(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000000,
		(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) % 1000000);
}

#endif
