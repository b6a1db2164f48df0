/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three stretches of work, each with a call of its own at its end: stretches [SECONDS], of CPU time
 * each.
 */
#include "cpu.h"

#include <stdlib.h>

static double seconds;
static volatile int ended;

__attribute__((noinline)) static void end_stretch(void)
{
	ended++;
}

__attribute__((noinline)) static void one(void)
{
	burn(seconds);
	end_stretch();
}

__attribute__((noinline)) static void two(void)
{
	burn(seconds);
	end_stretch();
}

__attribute__((noinline)) static void three(void)
{
	burn(seconds);
	end_stretch();
}

int main(int argc, char **argv)
{
	seconds = argc > 1 ? atof(argv[1]) : 0.2;
	one();
	two();
	three();
	return ended != 3;
}
