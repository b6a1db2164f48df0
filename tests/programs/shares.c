/*
 * Known shares of the time: a unit of work costs the same wherever it is done.
 *
 *	recurse (3 deep)  50 %, at the end of the recursion
 *	even, odd         30 %, mutual recursion, 15 % each
 *	plain             20 %
 *
 * The rounds are of different lengths, so that neither a sampler nor the kernel's scheduler can
 * fall into step with them.
 */
#include <stdlib.h>

static volatile unsigned long sink;
static unsigned long length; /* of a unit, in this round */

/* One unit, inlined everywhere, so that the time is that of the function around. */
static inline __attribute__((always_inline)) void unit(void)
{
	for (unsigned long i = 0; i < length; i++)
		sink += i;
}

__attribute__((noinline)) static void recurse(int level)
{
	if (level > 1)
		recurse(level - 1);
	else
		for (int i = 0; i < 50; i++)
			unit();
	sink++;
}

__attribute__((noinline)) static void odd(int turns);

__attribute__((noinline)) static void even(int turns)
{
	for (int i = 0; i < 5; i++)
		unit();
	if (turns > 1)
		odd(turns - 1);
	sink++;
}

__attribute__((noinline)) static void odd(int turns)
{
	for (int i = 0; i < 5; i++)
		unit();
	if (turns > 1)
		even(turns - 1);
	sink++;
}

__attribute__((noinline)) static void plain(void)
{
	for (int i = 0; i < 20; i++)
		unit();
	sink++;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 200;

	unsigned int random = 1;

	for (long i = 0; i < rounds; i++) {
		random = random * 1664525 + 1013904223;
		length = 5000 * (1 + (random >> 16) % 7);
		recurse(3);
		even(6);
		plain();
	}
	return 0;
}
