/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What leaves marks: marks [LABEL].
 *
 * The sequence that collectors know: work, mark, work, mark, pause, work, resume, work.  The labels
 * of the marks are LABEL, "phase-1" by default, and "phase-2".
 *
 *	one	before the first mark
 *	two	between the first and the second
 *	unseen	while nothing is sampled
 *	three	after that
 *	lots	in three; it is reached ten times
 *
 * At the end it prints what getrusage says of it.
 */
#include "../../include/gdbprof.h"
#include "cpu.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 3000, NAPS = 40 };

static volatile unsigned long sink;
int turn;

__attribute__((noinline)) static void one(void)
{
	burn(0.2);
	sink++;
}

static void *nap(void *unused)
{
	for (int i = 0; i < NAPS; i++)
		usleep(1000);
	return unused;
}

/* Faults, characters, context switches of a thread that ends, and CPU time. */
__attribute__((noinline)) static void two(void)
{
	char *memory = mmap(
		NULL, PAGE * PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *null = fopen("/dev/null", "w");
	pthread_t thread;

	madvise(memory, PAGE * PAGES, MADV_NOHUGEPAGE);
	memset(memory, 1, PAGE * PAGES);
	fwrite(memory, 1, 100000, null);
	fclose(null);
	munmap(memory, PAGE * PAGES);
	pthread_create(&thread, NULL, nap, NULL);
	pthread_join(thread, NULL);
	burn(0.2);
	sink++;
}

__attribute__((noinline)) static void unseen(void)
{
	burn(0.2);
	sink++;
}

__attribute__((noinline)) static void lots(void)
{
	burn(0.01);
	sink++;
}

__attribute__((noinline)) static void three(void)
{
	for (turn = 0; turn < 10; turn++)
		lots();
	sink++;
}

static int make_child(void)
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(3);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	struct rusage usage;

	one();
	gdbprof_mark(argc > 1 ? argv[1] : "phase-1");
	two();
	gdbprof_mark("phase-2");
	gdbprof_pause();
	unseen();
	gdbprof_resume();
	three();
	signal(SIGUSR2, SIG_IGN);
	raise(SIGUSR2);
	int child = make_child();
	getrusage(RUSAGE_SELF, &usage);
	printf("usage %ld %ld %ld %ld %d\n",
		(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
			(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000,
		usage.ru_minflt, usage.ru_nvcsw, usage.ru_maxrss, child);
	return 0;
}
