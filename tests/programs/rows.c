/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code at whose address the line table has several rows: rows ROUNDS.
 *
 * Nearly all time goes to two instructions.  The address of the first has a row of a statement and,
 * behind it, one that is not marked as a statement: to the latter they belong.
 */
#include <stdlib.h>

#if defined(__x86_64__)
#define COUNT_DOWN "1: sub $1, %0\n\tjnz 1b\n\t"
#else
#define COUNT_DOWN "1: subs %0, %0, #1\n\tb.ne 1b\n\t"
#endif

__attribute__((noinline)) static void spin(unsigned long rounds)
{
	enum { STATEMENT = __LINE__ };    /* statement */
	enum { INSTRUCTIONS = __LINE__ }; /* instructions */

	/* File 1 is the compiler's own. */
	__asm__ volatile(".loc 1 %c1 0 is_stmt 1\n\t"
			 ".loc 1 %c2 0 is_stmt 0\n\t" COUNT_DOWN ".loc 1 %c1 0 is_stmt 1"
			 : "+r"(rounds)
			 : "i"(STATEMENT), "i"(INSTRUCTIONS)
			 : "cc");
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 100;

	for (long i = 0; i < rounds; i++)
		spin(1000000);
	return 0;
}
