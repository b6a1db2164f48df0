/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * touches PAGES [THREADS]: touches new memory, so many pages in once(), twice as many in twice();
 * so does each thread, one after another.  Says how many pages once() and twice() have touched.
 *
 * It takes its time: the kernel leaves out samples of what comes faster than 100,000 times a
 * second, and by its clock ticks, so that 100 at once may be too many.
 */
#include "cpu.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, AT_ONCE = 10 };

static long pages, touched[2];

/* New memory of COUNT pages, each of which faults. */
static char *map(long count)
{
	char *memory = mmap(NULL, (size_t)count * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	madvise(memory, (size_t)count * PAGE, MADV_NOHUGEPAGE);
	return memory;
}

#define TOUCH(name, index)                                                            \
	__attribute__((noinline)) static void name(volatile char *memory, long count) \
	{                                                                             \
		for (long i = 0; i < count; i++) {                                    \
			memory[i * PAGE] = 1;                                         \
			touched[index]++;                                             \
		}                                                                     \
	}
TOUCH(once, 0)
TOUCH(twice, 1)

__attribute__((noinline)) static void touch(void)
{
	char *memory = map(3 * pages);

	for (long i = 0; i < pages; i += AT_ONCE) {
		long count = pages - i < AT_ONCE ? pages - i : AT_ONCE;
		once(memory + 3 * i * PAGE, count);
		twice(memory + (3 * i + count) * PAGE, 2 * count);
		burn(0.002);
	}
	munmap(memory, (size_t)(3 * pages) * PAGE);
}

static void *work(void *argument)
{
	touch();
	return argument;
}

int main(int argc, char **argv)
{
	pages = argc > 1 ? atol(argv[1]) : 100;
	touch();
	for (long i = argc > 2 ? atol(argv[2]) : 0; i > 0; i--) {
		pthread_t thread;
		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
	}
	printf("once %ld twice %ld\n", touched[0], touched[1]);
	return 0;
}
