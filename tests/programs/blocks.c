/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each way to allocate once, or as said, in a function of its own; all but what lose() has is
 * freed.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define KEPT __attribute__((noinline))

/* What is allocated is used, or a compiler may leave it out. */
static void *volatile held;

static void use(void *block)
{
	held = block;
	held = NULL;
}

KEPT static void by_malloc(void)
{
	void *block = malloc(11);

	use(block);
	free(block);
}

KEPT static void by_calloc(void)
{
	void *block = calloc(3, 4);

	use(block);
	free(block);
}

/* realloc is a free and an allocation. */
KEPT static void by_realloc(void)
{
	void *block = malloc(10);

	use(block);
	block = realloc(block, 20);
	use(block);
	free(block);
}

KEPT static void by_reallocarray(void)
{
	void *block = reallocarray(NULL, 5, 6);

	use(block);
	free(block);
}

KEPT static void by_valloc(void)
{
	void *block = valloc(31);

	use(block);
	free(block);
}

KEPT static void by_memalign(void)
{
	void *block = memalign(64, 41);

	use(block);
	free(block);
}

KEPT static void by_aligned_alloc(void)
{
	void *block = aligned_alloc(64, 128);

	use(block);
	free(block);
}

KEPT static void by_posix_memalign(void)
{
	void *block;

	if (posix_memalign(&block, 64, 61))
		abort();
	use(block);
	free(block);
}

KEPT static void by_mmap(void)
{
	char *block =
		mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	use(block);
	munmap(block + 4096, 4096);
	munmap(block, 4096);
	munmap(block + 8192, 4096);
}

KEPT static void lose(void)
{
	use(malloc(77));
}

KEPT static void half(void)
{
	__asm__ volatile("" ::: "memory");
}

int main(void)
{
	by_malloc();
	by_calloc();
	by_realloc();
	by_reallocarray();
	void *late = malloc(1000);
	use(late);
	lose();
	half();
	by_valloc();
	by_memalign();
	by_aligned_alloc();
	by_posix_memalign();
	by_mmap();
	free(late);
	return 0;
}
