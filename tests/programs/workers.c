/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that has others do its work: workers all [TOOL] | outlive FILE | work FILE |
 * tool.
 *
 *	all	has work of its own (parent), and makes a process (child), which makes another one
 *		(grandchild), then many that work for 4 ms each (brief), and one that executes TOOL,
 *		this program by any name, with the argument tool
 *	outlive	makes a process that goes on when the program has ended, as with work
 *	work	works (outliving) until FILE is there, and writes its id into it
 *
 * At the end `all` prints how much CPU time each kind has used, and what the kernel says of the
 * program and of all its children.
 */
#include "cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BRIEF = 60 };

/* s of CPU time, told by the processes that used it. */
static struct {
	double parent, child, grandchild, brief;
} * used;

static volatile unsigned long sink;

__attribute__((noinline)) static double parent(void)
{
	double seconds = burn(0.3);

	sink++;
	return seconds;
}

__attribute__((noinline)) static double grandchild(void)
{
	double seconds = burn(0.3);

	sink++;
	return seconds;
}

__attribute__((noinline)) static double brief(void)
{
	double seconds = burn(0.004);

	sink++;
	return seconds;
}

__attribute__((noinline)) static double tool(void)
{
	double seconds = burn(0.3);

	sink++;
	return seconds;
}

__attribute__((noinline)) static double child(void)
{
	double seconds = burn(0.3);

	sink++;
	return seconds;
}

__attribute__((noinline)) static void outliving(void)
{
	burn(0.01);
	sink++;
}

static double cpu_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void make_child(void)
{
	if (fork())
		return;
	if (!fork()) {
		used->grandchild = grandchild();
		_exit(0);
	}
	used->child = child();
	wait(NULL);
	_exit(0);
}

static void make_tool(const char *path)
{
	if (fork())
		return;
	execl(path, path, "tool", NULL);
	_exit(1);
}

static void make_brief(void)
{
	if (!fork()) {
		used->brief += brief();
		_exit(0);
	}
	wait(NULL);
}

static int run_all(const char *path)
{
	used = mmap(NULL, sizeof *used, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (used == MAP_FAILED)
		return 1;
	used->parent = parent();
	make_child();
	wait(NULL);
	for (int i = 0; i < BRIEF; i++)
		make_brief();
	if (path) {
		make_tool(path);
		wait(NULL);
	}
	printf("parent %.6f child %.6f grandchild %.6f brief %.6f own %.6f children %.6f\n",
		used->parent, used->child, used->grandchild, used->brief, cpu_of(RUSAGE_SELF),
		cpu_of(RUSAGE_CHILDREN));
	return 0;
}

/* Goes on for half an hour at the most, if nobody makes the file. */
static int run_work(const char *path)
{
	/* Who reads what the program prints must not wait for this one. */
	for (int file = 0; file <= 2; file++)
		close(file);
	for (int i = 0; i < 180000 && access(path, F_OK); i++)
		outliving();
	FILE *file = fopen(path, "a");
	if (file) {
		fprintf(file, "%d\n", (int)getpid());
		fclose(file);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	if (!strcmp(way, "all"))
		return run_all(argc > 2 ? argv[2] : NULL);
	if (!strcmp(way, "outlive") && argc > 2)
		return fork() ? 0 : run_work(argv[2]);
	if (!strcmp(way, "work") && argc > 2)
		return run_work(argv[2]);
	if (!strcmp(way, "tool"))
		return tool() > 0 ? 0 : 1;
	return 2;
}
