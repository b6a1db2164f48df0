/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work below code that the program makes and lists for perf: perf_map FIRST|LAST UNITS.  LAST: the
 * list is written when the work is over, as by node, which collects what it writes.
 */
#include "spend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void work(long units)
{
	for (long i = 0; i < units * 10000; i++)
		SPEND(i);
}

/* Calls its second argument with its first one, with a frame pointer. */
static const unsigned char code[] = {
#if defined __x86_64__
	0x55,
	0x48,
	0x89,
	0xe5,
	0xff,
	0xd6,
	0x5d,
	0xc3,
#elif defined __aarch64__
	0xfd,
	0x7b,
	0xbf,
	0xa9,
	0xfd,
	0x03,
	0x00,
	0x91,
	0x20,
	0x00,
	0x3f,
	0xd6,
	0xfd,
	0x7b,
	0xc1,
	0xa8,
	0xc0,
	0x03,
	0x5f,
	0xd6,
#endif
};

/* Another function was at its place before. */
static void list(const char *path, const void *at)
{
	FILE *file = fopen(path, "w");

	if (!file)
		exit(1);
	fprintf(file, "%lx %x old\n%lx %zx made while it runs a.js:1\n", (unsigned long)at, 4096,
		(unsigned long)at, sizeof code);
	fclose(file);
}

/* The last thing that it does: breakpoints are set here. */
__attribute__((noinline)) static void over(void)
{
	sink++;
}

int main(int argc, char **argv)
{
	char path[64];
	void *at = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (argc < 3 || at == MAP_FAILED)
		return 1;
	snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
	memcpy(at, code, sizeof code);
	__builtin___clear_cache(at, (char *)at + sizeof code);
	if (!strcmp(argv[1], "FIRST"))
		list(path, at);
	((void (*)(long, void (*)(long)))at)(atol(argv[2]), work);
	over();
	list(path, at);
	return 0;
}
