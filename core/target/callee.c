/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/callee.h"

#include "target/arch.h"
#include "target/elf.h"

/* The name with which the dynamic linker resolves the stub at ADDRESS, or NULL. */
static const char *name_of_stub(
	struct prof_elf *module, const struct prof_arch *arch, uint64_t address)
{
	unsigned char code[PROF_ARCH_STUB];
	uint64_t slot;

	if (!prof_elf_code(module, address, code, sizeof code) ||
		!arch->jumps_through(code, address, &slot))
		return NULL;
	return prof_elf_slot(module, slot);
}

const char *prof_callee_name(
	struct prof_elf *module, const struct prof_arch *arch, uint64_t return_address)
{
	unsigned char code[PROF_ARCH_CALL];
	uint64_t destination, slot, low;

	if (!arch->jumps_through ||
		!prof_elf_code(module, return_address - sizeof code, code, sizeof code))
		return NULL;
	if (arch->calls_through(code, return_address, &slot))
		return prof_elf_slot(module, slot);
	if (!arch->ends_in_call(code, return_address, &destination) || !destination)
		return NULL;
	const char *name = prof_elf_symbol(module, destination, &low);
	return name && low == destination ? name : name_of_stub(module, arch, destination);
}

bool prof_callee_argument(struct prof_elf *module, const struct prof_arch *arch,
	uint64_t return_address, uint64_t *address)
{
	unsigned char code[PROF_ARCH_ARGUMENT];

	return arch->loads_argument &&
		prof_elf_code(module, return_address - sizeof code, code, sizeof code) &&
		arch->loads_argument(code, return_address, address);
}
