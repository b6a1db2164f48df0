/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/code.h"

#include "target/elf.h"

#include <string.h>

/*
 * Reads LENGTH bytes of code at ADDRESS into BUFFER.  MODULE's file, which has no breakpoints and
 * outlives the process, comes before the memory of TARGET.
 */
static bool read_code(const struct prof_target *target, const struct prof_elf *module,
	uint64_t address, void *buffer, size_t length)
{
	return (module && prof_elf_code(module, address, buffer, length)) ||
		prof_target_read(target, address, buffer, length);
}

bool prof_code_read(const struct prof_target *target, const struct prof_elf *module,
	uint64_t address, unsigned char code[PROF_ARCH_CODE])
{
	return read_code(target, module, address - PROF_ARCH_CODE_PAST, code, PROF_ARCH_CODE);
}

void prof_code_read_startup(const struct prof_target *target, const struct prof_elf *module,
	uint64_t address, unsigned char code[PROF_ARCH_STARTUP])
{
	const size_t past = PROF_ARCH_STARTUP_PAST;

	memset(code, 0, PROF_ARCH_STARTUP);
	if (read_code(target, module, address - past, code, PROF_ARCH_STARTUP))
		return;
	/* The code may begin where a mapping begins, or end where it ends. */
	memset(code, 0, PROF_ARCH_STARTUP);
	if (!target->read_memory(target->context, address - past, code, PROF_ARCH_STARTUP))
		read_code(target, module, address, code + past, PROF_ARCH_STARTUP - past);
}

bool prof_code_is_signal_return(
	const struct prof_arch *arch, const struct prof_target *target, uint64_t address)
{
	unsigned char code[PROF_ARCH_CODE];

	return prof_code_read(target, NULL, address, code) && arch->is_signal_return(code);
}

bool prof_code_is_behind_call(const struct prof_arch *arch, const struct prof_target *target,
	uint64_t return_address, uint64_t *destination)
{
	unsigned char bytes[PROF_ARCH_CALL];

	return prof_target_read(target, return_address - sizeof bytes, bytes, sizeof bytes) &&
		arch->ends_in_call(bytes, return_address, destination);
}
