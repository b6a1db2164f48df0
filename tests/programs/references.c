/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * references COUNT: stores to each page of `pages` once, in store_page(), and COUNT times to `slot`
 * in each of direct(), late() and joined(), which stand differently to what follows the store.
 *
 * It takes its time: the kernel leaves out samples that come too fast.
 */
#include "cpu.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 64, OFFSET = 8, AT_ONCE = 5 };

char pages[PAGES * PAGE] __attribute__((aligned(4096)));
long slot;

__attribute__((noinline)) void store_page(volatile char *page)
{
	page[OFFSET] = 1;
}

static void store_pages(void)
{
	for (long i = 0; i < PAGES; i++) {
		store_page(pages + i * PAGE);
		if (i % AT_ONCE == 0)
			burn(0.002);
	}
}

#ifdef __x86_64__

/* The instruction after the store can be reached from it only. */
__attribute__((noinline)) void direct(long value, long *to)
{
	__asm__ volatile("mov %0, (%1)\n\tnop" : : "r"(value), "r"(to) : "memory");
}

/* As above, but the address is not known any more. */
__attribute__((noinline)) void late(long value, long *to)
{
	__asm__ volatile("xchg %0, (%1)\n\txor %1, %1" : "+r"(value), "+r"(to) : : "memory");
}

/* What follows the store can be reached without it. */
__attribute__((noinline)) void joined(long value, long *to)
{
	__asm__ volatile("test %0, %0\n\tjs 1f\n\tmov %0, (%1)\n1:\tnop"
			 :
			 : "r"(value), "r"(to)
			 : "memory", "cc");
}

#else

__attribute__((noinline)) void direct(long value, long *to)
{
	*(volatile long *)to = value;
}
#define late direct
#define joined direct

#endif

/* Where the session looks at it. */
__attribute__((noinline)) void finish(void)
{
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 100;

	madvise(pages, sizeof pages, MADV_NOHUGEPAGE);
	store_pages();
	for (long i = 0; i < count; i++) {
		direct(i, &slot);
		late(i, &slot);
		joined(i, &slot);
		if (i % AT_ONCE == 0)
			burn(0.002);
	}
	finish();
	printf("%ld\n", slot);
	return 0;
}
