/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Phases, told apart by their functions: phases ROUNDS [LIBRARY].
 *
 * With LIBRARY, its function library_work(ROUNDS) is called in the middle, and it is closed again.
 * At last the CPU time is printed that was used, in s.
 */
#include "cpu.h"
#include "spend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned long sink;

static inline __attribute__((always_inline)) void unit(void)
{
	for (unsigned long i = 0; i < 100000; i++)
		SPEND(i);
}

__attribute__((noinline)) static void one(long rounds)
{
	for (long i = 0; i < rounds; i++)
		unit();
	sink++;
}

__attribute__((noinline)) static void two(long rounds)
{
	for (long i = 0; i < rounds; i++)
		unit();
	sink++;
}

__attribute__((noinline)) static void three(long rounds)
{
	for (long i = 0; i < rounds; i++)
		unit();
	sink++;
}

__attribute__((noinline)) static void use(const char *library, long rounds)
{
	void *handle = dlopen(library, RTLD_NOW);
	void (*work)(long) = handle ? (void (*)(long))dlsym(handle, "library_work") : NULL;

	if (!work)
		abort();
	work(rounds);
	dlclose(handle);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 3000;

	one(rounds);
	if (argc > 2)
		use(argv[2], rounds);
	two(rounds);
	three(rounds);
	print_cpu();
	return 0;
}
