/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints where the functions return that are on its stack, as backtrace() finds them, those of the
 * program alone: distances from main(). */
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST = 64, NEAR = 1 << 16 };

int main(void);

__attribute__((noinline)) int look(void)
{
	void *found[MOST];
	int count = backtrace(found, MOST), own = 0;

	for (int i = 0; i < count; i++) {
		intptr_t distance = (intptr_t)found[i] - (intptr_t)main;
		if (distance > -NEAR && distance < NEAR) {
			printf("%ld ", (long)distance);
			own++;
		}
	}
	return own;
}

__attribute__((noinline)) int descend(int depth)
{
	return depth ? descend(depth - 1) + 1 : look() + 1;
}

int main(void)
{
	int own = descend(3);

	printf("and %d\n", own);
	return 0;
}
