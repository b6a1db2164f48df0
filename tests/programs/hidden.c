/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work below a function whose caller nothing tells of but itself: hidden UNITS.  It has no call
 * frame information and no frame pointer, and keeps its return address complemented while it calls.
 */
#include "spend.h"

#include <stdlib.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void work(long units)
{
	for (long i = 0; i < units * 10000; i++)
		SPEND(i);
}

__asm__(".text\n"
	".type hidden, @function\n"
	"hidden:\n"
	"	push %rbp\n"
	"	mov $1, %ebp\n"
	"	notq 8(%rsp)\n"
	"	call *%rsi\n"
	".globl hidden_call\n"
	"hidden_call:\n" /* what the call returns to */
	"	notq 8(%rsp)\n"
	"	pop %rbp\n"
	"	ret\n"
	".size hidden, . - hidden\n");

extern void hidden(long units, void (*function)(long));

__attribute__((noinline)) static void caller(long units)
{
	hidden(units, work);
	sink++;
}

int main(int argc, char **argv)
{
	caller(argc > 1 ? strtol(argv[1], NULL, 10) : 20000);
	return 0;
}
