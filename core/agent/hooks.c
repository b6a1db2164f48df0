/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/hooks.h"

#include "agent/mpi.h"
#include "agent/mpi_wrappers.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define ROW(family, name) {#name, (void *)prof_agent_##name, NULL, PROF_FAMILY_##family},
#define MPI_ROW(name, words, class) \
	{"MPI_" #name, (void *)prof_agent_MPI_##name, NULL, PROF_FAMILY_MPI},
#define PMPI_ROW(name, words, class) \
	{"PMPI_" #name, (void *)prof_agent_PMPI_##name, NULL, PROF_FAMILY_MPI},
struct prof_hook prof_agent_hooks[PROF_HOOK_COUNT + PROF_TRACED_FUNCTIONS] = {
	PROF_HOOKS(ROW) PROF_MPI_FUNCTIONS(MPI_ROW) PROF_MPI_FUNCTIONS(PMPI_ROW)};

/*
 * Never executed: these calls make the linker build a table with the functions' addresses, in which
 * hooks are looked up.
 */
#define REFER(family, name) "call " #name "@PLT\n"
__asm__(".text\n" PROF_HOOKS(REFER));

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/*
 * The entry TAG of our own dynamic section, as a number, or as an address that may already be
 * relocated.
 */
static uintptr_t find_dynamic(ElfW(Sxword) tag, bool address)
{
	uintptr_t base = (uintptr_t)&__ehdr_start;

	for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag != tag)
			continue;
		uintptr_t value = entry->d_un.d_ptr;
		return address && value < base ? value + base : value;
	}
	return 0;
}

/*
 * Where a call of NAME leads; NULL: unknown.  A program at fixed addresses that takes a function's
 * address uses the address of a jump in its own table for it, and dlsym() finds that too: it would
 * lead back to us.
 */
static void *find_callee(const char *name)
{
	const ElfW(Rela) *slots = (const ElfW(Rela) *)find_dynamic(DT_JMPREL, true);
	const ElfW(Sym) *symbols = (const ElfW(Sym) *)find_dynamic(DT_SYMTAB, true);
	const char *names = (const char *)find_dynamic(DT_STRTAB, true);
	size_t count = find_dynamic(DT_PLTRELSZ, false) / sizeof *slots;
	const ElfW(Ehdr) *start = &__ehdr_start;
	uintptr_t base = start->e_type == ET_EXEC ? 0 : (uintptr_t)start;

	for (size_t i = 0; i < count; i++)
		if (!strcmp(names + symbols[ELF64_R_SYM(slots[i].r_info)].st_name, name))
			return *(void **)(base + slots[i].r_offset);
	return NULL;
}

bool prof_agent_hooks_is_jump(void *found)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	return dladdr1(found, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
		symbol->st_shndx == SHN_UNDEF;
}

void prof_agent_hooks_find(uint32_t families)
{
	for (unsigned i = 0; i < PROF_HOOK_MPI; i++) {
		struct prof_hook *hook = &prof_agent_hooks[i];
		hook->real = find_callee(hook->name);
		if (!hook->real)
			hook->real = dlsym(RTLD_DEFAULT, hook->name);
	}
	if (families & PROF_FAMILY_MPI)
		prof_mpi_find();
}
