/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code whose lines are known: lines ROUNDS.
 *
 * In hot() nearly all time goes to one line, the division, and there to one instruction or the one
 * behind it; outer() has its time in a function that is inlined there; bare() has no line numbers.
 */
#include <stdlib.h>

static volatile unsigned long sink = 88172645463325252;

__attribute__((noinline)) static unsigned long hot(unsigned long rounds)
{
	unsigned long sum = 1;

	for (unsigned long i = 0; i < rounds; i++)
		sum = (sink << 32 | sum) / (sum | 1); /* hot */

	return sum;
}

static inline __attribute__((always_inline)) unsigned long inner(unsigned long rounds)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < rounds; i++)
		sum += sink; /* inlined */
	return sum;
}

__attribute__((noinline)) static unsigned long outer(unsigned long rounds)
{
	unsigned long sum = inner(rounds); /* inlines */

	return sum + sink;
}

/* Counts its argument down. */
void bare(unsigned long rounds);

#if defined(__x86_64__)
__asm__(".text\n"
	".type bare, @function\n"
	"bare:\n"
	"1:	sub $1, %rdi\n"
	"	jnz 1b\n"
	"	ret\n"
	".size bare, . - bare\n");
#else
__asm__(".text\n"
	".type bare, %function\n"
	"bare:\n"
	"1:	subs x0, x0, #1\n"
	"	b.ne 1b\n"
	"	ret\n"
	".size bare, . - bare\n");
#endif

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 100;

	for (long i = 0; i < rounds; i++) {
		sink += hot(40000); /* calls */
		sink += outer(400000);
		bare(1000000);
	}
	return 0;
}
