/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU time in the kernel that is in no system call: faults SECONDS KIND.
 *
 * KIND "faults": all the time touches pages anew; "calls": reads; "mixed": both, and work, in turns
 * of some 50 microseconds each.  At last the user and system time by the kernel's account are
 * printed, in s, without what the process used before main().
 */
#include "spend.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PAGES = 64, PAGE = 4096 };

static char *memory;
static int zero;

/* Each write is a page fault; taking the pages back is the only call. */
__attribute__((noinline)) static void touch(void)
{
	for (int i = 0; i < PAGES; i++)
		((volatile char *)memory)[i * PAGE] = 1;
	if (madvise(memory, (size_t)PAGES * PAGE, MADV_DONTNEED))
		abort();
}

__attribute__((noinline)) static void take(void)
{
	char buffer[1 << 16];

	if (read(zero, buffer, sizeof buffer) < 0)
		abort();
}

__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < 200000; i++)
		SPEND(i);
}

static double seconds(struct timeval begin, struct timeval end)
{
	return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_usec - begin.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	double limit = argc > 1 ? strtod(argv[1], NULL) : 1;
	const char *kind = argc > 2 ? argv[2] : "mixed";
	struct rusage before, usage;
	double user, system;

	/* The process was a debugger's child and a shell before. */
	getrusage(RUSAGE_SELF, &before);
	memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	zero = open("/dev/zero", O_RDONLY);
	if (memory == MAP_FAILED || zero < 0)
		abort();
	do {
		for (int i = 0; i < 100; i++) {
			if (strcmp(kind, "calls") != 0)
				touch();
			if (strcmp(kind, "faults") != 0)
				take();
			if (strcmp(kind, "mixed") == 0)
				work();
		}
		getrusage(RUSAGE_SELF, &usage);
		user = seconds(before.ru_utime, usage.ru_utime);
		system = seconds(before.ru_stime, usage.ru_stime);
	} while (user + system < limit);
	printf("user %.3f system %.3f\n", user, system);
	return 0;
}
