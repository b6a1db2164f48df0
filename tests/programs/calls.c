/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of the kinds that gprof tells apart, for programs built with -pg: the first argument says
 * which, the second how much of each.
 */
#include "spend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned sink;
static unsigned amount = 1;

#define BURN(times)                                                               \
	do {                                                                      \
		for (unsigned burnt = 0; burnt < (times)*amount * 10000; burnt++) \
			SPEND(burnt);                                             \
	} while (0)

/* Main, a chain and leaves that several call. */
static APART void leaf(void)
{
	BURN(300);
}

APART void other_leaf(void)
{
	BURN(100);
}

APART void middle(int times)
{
	BURN(150);
	while (times-- > 0)
		leaf();
	other_leaf();
}

APART void never(void)
{
	BURN(1);
	leaf();
}

static APART void chain(void)
{
	for (int i = 0; i < 7; i++)
		middle(i);
	leaf();
	if (amount > 1000000)
		never();
}

/* Recursion of one function. */
APART void recurse(int depth)
{
	BURN(100);
	other_leaf();
	if (depth)
		recurse(depth - 1);
}

/* A cycle of two, as in gprof's manual, and what it calls. */
APART void manual_c(void)
{
	BURN(20);
}

APART void manual_b(int depth);

APART void manual_a(int depth)
{
	BURN(200);
	manual_c();
	if (depth)
		manual_b(depth - 1);
}

APART void manual_b(int depth)
{
	BURN(300);
	manual_c();
	if (depth)
		manual_a(depth - 1);
}

/* A cycle of three with a chord, whose first member is called from two sides, and by itself. */
static APART void three_z(int depth);

static APART void three_x(int depth)
{
	BURN(50);
	if (depth % 3 == 0 && depth)
		three_x(depth - 1);
	else if (depth)
		three_z(depth - 1);
}

static APART void three_y(int depth)
{
	BURN(100);
	if (depth)
		three_x(depth - 1);
	leaf();
}

static APART void three_z(int depth)
{
	BURN(150);
	if (depth > 3)
		three_y(depth - 1);
	else if (depth)
		three_x(depth - 1);
}

APART void side(int depth)
{
	three_x(depth);
	BURN(10);
	three_y(depth / 2);
}

/* A cycle that calls another cycle, and functions that are called and take no time. */
APART void pong(int depth);

APART void ping(int depth)
{
	BURN(80);
	if (depth)
		pong(depth - 1);
	else
		side(4);
}

APART void pong(int depth)
{
	BURN(40);
	if (depth)
		ping(depth - 1);
}

APART void _underscore(void)
{
	sink++;
}

APART void idle(void)
{
	_underscore();
}

static APART void several(void)
{
	for (int i = 0; i < 3; i++) {
		ping(5 + i);
		manual_a(3);
		recurse(2);
		side(7);
		idle();
	}
}

static APART void through(void (*function)(int), int depth)
{
	function(depth);
}

static APART void pointers(void)
{
	void (*const functions[])(int) = {recurse, ping, manual_b, middle};

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		through(functions[i], (int)i);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "several";

	if (argc > 2)
		amount = (unsigned)strtoul(argv[2], NULL, 10);
	BURN(30);
	if (!strcmp(kind, "chain"))
		chain();
	else if (!strcmp(kind, "recursion"))
		recurse(6);
	else if (!strcmp(kind, "cycle"))
		manual_a(5);
	else if (!strcmp(kind, "several"))
		several();
	else if (!strcmp(kind, "pointers"))
		pointers();
	else if (!strcmp(kind, "idle"))
		idle();
	else
		return 1;
	return 0;
}
