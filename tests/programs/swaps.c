/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Libraries that come and go, one in the place of another: swaps TURNS LIBRARY FUNCTION LIBRARY
 * FUNCTION.  Each FUNCTION gets a function to call.  Says how often two were at the same place.
 */
#include "spend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void work(void)
{
	for (unsigned long i = 0; i < 10000000; i++)
		SPEND(i);
}

__attribute__((noinline)) static void *turn(const char *library, const char *name)
{
	union {
		void *symbol;
		void (*function)(void (*)(void));
	} both;
	void *handle = dlopen(library, RTLD_NOW);

	if (!handle)
		exit(1);
	both.symbol = dlsym(handle, name);
	if (!both.symbol)
		exit(2);
	both.function(work);
	dlclose(handle);
	return both.symbol;
}

int main(int argc, char **argv)
{
	long turns = argc > 5 ? strtol(argv[1], NULL, 10) : 0;
	unsigned same = 0;
	void *last = NULL;

	for (long i = 0; i < turns; i++) {
		void *place = turn(argv[2 + i % 2 * 2], argv[3 + i % 2 * 2]);
		same += place == last;
		last = place;
	}
	printf("same %u\n", same);
	return 0;
}
