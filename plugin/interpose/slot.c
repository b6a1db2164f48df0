/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/slot.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The parts of the host program's dynamic section that are needed. */
struct imports {
	uintptr_t bias;
	const ElfW(Sym) * symbols;
	const char *strings;
	struct {
		const ElfW(Rela) * first;
		size_t count;
	} tables[2]; /* of the procedure linkage table, and of all other data */
};

/* On most machines glibc has relocated the addresses in a dynamic section, but not on all. */
static const void *address(const struct imports *imports, ElfW(Addr) value)
{
	return (const void *)(value < imports->bias ? value + imports->bias : value);
}

static void read_dynamic(struct imports *imports, const ElfW(Dyn) * entry)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		switch (entry->d_tag) {
		case DT_SYMTAB:
			imports->symbols = address(imports, entry->d_un.d_ptr);
			break;
		case DT_STRTAB:
			imports->strings = address(imports, entry->d_un.d_ptr);
			break;
		case DT_JMPREL:
			imports->tables[0].first = address(imports, entry->d_un.d_ptr);
			break;
		case DT_PLTRELSZ:
			imports->tables[0].count = entry->d_un.d_val / sizeof(ElfW(Rela));
			break;
		case DT_RELA:
			imports->tables[1].first = address(imports, entry->d_un.d_ptr);
			break;
		case DT_RELASZ:
			imports->tables[1].count = entry->d_un.d_val / sizeof(ElfW(Rela));
			break;
		default:
			break;
		}
	}
}

/* The first object that is reported is the program itself. */
static int read_program(struct dl_phdr_info *info, size_t size, void *context)
{
	struct imports *imports = context;

	(void)size;
	imports->bias = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			read_dynamic(imports,
				(const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
	}
	return 1;
}

/* Finds the slot of the host program for the imported FUNCTION. */
static struct prof_error *find(const char *function, struct slot *ret)
{
	struct imports imports = {0};

	dl_iterate_phdr(read_program, &imports);
	for (size_t table = 0; imports.symbols && imports.strings && table < 2; table++) {
		for (size_t i = 0; i < imports.tables[table].count; i++) {
			const ElfW(Rela) *relocation = &imports.tables[table].first[i];
			/* The symbol's index is in the upper half in every 64-bit ELF. */
			size_t symbol = ELF64_R_SYM(relocation->r_info);
			const char *name = imports.strings + imports.symbols[symbol].st_name;
			if (!symbol || strcmp(name, function))
				continue;
			ret->place = (void **)(imports.bias + relocation->r_offset);
			ret->before = *ret->place;
			ret->function = dlsym(RTLD_DEFAULT, function);
			return NULL;
		}
	}
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"This GDB does not import %s from a library, so gdbprof cannot watch its stops.",
		function);
}

/* Writes TARGET to SLOT. */
static struct prof_error *set(const struct slot *slot, void *target)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)slot->place & ~(page - 1));

	/*
	 * If all slots were bound at start, the page is read-only by now (RELRO); it may stay
	 * writable, as in programs that bind lazily.
	 */
	if (mprotect(start, page, PROT_READ | PROT_WRITE))
		return prof_error_create(PROF_ERROR_SYSTEM,
			"GDB's import table cannot be written: %s.", strerror(errno));
	*(void *volatile *)slot->place = target;
	return NULL;
}

struct prof_error *slots_check(const struct hook *hooks, size_t count)
{
	struct prof_error *error = NULL;
	struct slot slot;

	for (size_t i = 0; i < count && !error; i++)
		error = find(hooks[i].function, &slot);
	return error;
}

struct prof_error *slots_open(const struct hook *hooks, struct slot *slots, size_t count)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++)
		error = find(hooks[i].function, &slots[i]);
	for (size_t i = 0; i < count && !error; i++) {
		slots[i].instead = hooks[i].instead;
		/* Another one was set above it, and has put it back when it was closed already. */
		if (slots[i].before == slots[i].instead)
			slots[i].before = slots[i].function;
	}
	if (error)
		return error;
	for (size_t i = 0; i < count && !error; i++) {
		error = set(&slots[i], hooks[i].instead);
		if (error)
			slots_close(slots, i);
	}
	return error;
}

/* Is FUNCTION in the plugin itself? */
static bool is_ours(void *function)
{
	Dl_info theirs, ours;

	return dladdr(function, &theirs) && dladdr((void *)slots_open, &ours) &&
		theirs.dli_fbase == ours.dli_fbase;
}

void *slot_next(const struct slot *slot)
{
	/* Otherwise it may be the linker's, which would overwrite the slot later. */
	return is_ours(slot->before) ? slot->before : slot->function;
}

bool slot_is(const struct slot *slot, const struct hook *hook)
{
	return *slot->place == hook->instead;
}

void slots_close(const struct slot *slots, size_t count)
{
	/* The pages were made writable before, so this cannot fail. */
	for (size_t i = 0; i < count; i++) {
		if (*slots[i].place == slots[i].instead)
			prof_error_destroy(set(&slots[i], slots[i].before));
	}
}
