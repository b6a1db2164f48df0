/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work below code that is made while the program runs: jit FILE UNITS.  FILE, an ELF program, is
 * the code; its first function gets units and a function to call with them.  GDB is told of it, by
 * the interface that it has for compilers ("JIT Compilation Interface" in its manual).
 */
#include "spend.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct jit_code_entry {
	struct jit_code_entry *next, *previous;
	const char *file;
	uint64_t size;
};

struct {
	uint32_t version, action;
	struct jit_code_entry *relevant, *first;
} __jit_debug_descriptor = {1, 0, NULL, NULL};

/* GDB has a breakpoint here. */
__attribute__((noinline)) void __jit_debug_register_code(void)
{
	__asm__ volatile("" ::: "memory");
}

static volatile unsigned long sink;

__attribute__((noinline)) static void work(long units)
{
	for (long i = 0; i < units * 10000; i++)
		SPEND(i);
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *bytes = malloc(1 << 20);

	if (!file || !bytes)
		exit(1);
	*size = fread(bytes, 1, 1 << 20, file);
	fclose(file);
	return bytes;
}

/* Puts code where FILE says, into memory that belongs to no file. */
static void place(const char *file)
{
	const Elf64_Ehdr *header = (const void *)file;
	const Elf64_Phdr *segment = (const void *)(file + header->e_phoff);

	for (int i = 0; i < header->e_phnum; i++, segment++) {
		uintptr_t page = segment->p_vaddr & ~UINT64_C(4095);
		if (segment->p_type != PT_LOAD || !segment->p_memsz)
			continue;
		if (mmap((void *)page, segment->p_vaddr - page + segment->p_memsz,
			    PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
			exit(2);
		memcpy((void *)(uintptr_t)segment->p_vaddr, file + segment->p_offset,
			segment->p_filesz);
	}
}

__attribute__((noinline)) static void caller(void (*code)(long, void (*)(long)), long units)
{
	code(units, work);
	sink++;
}

int main(int argc, char **argv)
{
	struct jit_code_entry entry = {0};

	if (argc < 3)
		return 1;
	entry.file = read_file(argv[1], &entry.size);
	place(entry.file);
	__jit_debug_descriptor.first = &entry;
	__jit_debug_descriptor.relevant = &entry;
	__jit_debug_descriptor.action = 1; /* registered */
	__jit_debug_register_code();
	caller((void (*)(long, void (*)(long)))((const Elf64_Ehdr *)entry.file)->e_entry,
		strtol(argv[2], NULL, 10));
	return 0;
}
