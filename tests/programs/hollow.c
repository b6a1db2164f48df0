/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Works for SECONDS below a function with a large array, of which only the beginning is used:
 * hollow SECONDS. The other pages of the array are not in memory.
 */
#include "cpu.h"

#include <stdlib.h>

enum { ROOM = 48 << 10 };

__attribute__((noinline)) static void keep_room(double seconds)
{
	volatile char room[ROOM];

	room[0] = 1;
	burn(seconds);
	room[0] = 2;
}

int main(int argc, char **argv)
{
	keep_room(argc > 1 ? strtod(argv[1], NULL) : 1);
	print_cpu();
	return 0;
}
