/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/caller.h"

#include "target/code.h"

static bool has(const struct prof_registers *registers, unsigned number)
{
	return registers->valid >> number & 1;
}

/* The function's return address; 0: unknown. */
static uint64_t return_address(const struct prof_arch *arch, const struct prof_target *target,
	const struct prof_registers *registers)
{
	uint64_t address = 0;

	if (!arch->pushes_return)
		return has(registers, arch->return_address)
			? registers->value[arch->return_address] & arch->code_mask
			: 0;
	if (!has(registers, arch->sp) ||
		!prof_target_read(target, registers->value[arch->sp], &address, sizeof address))
		return 0;
	return address;
}

uint64_t prof_caller_of_return(
	const struct prof_arch *arch, const struct prof_target *target, uint64_t address)
{
	/* Signal handlers have no caller: they return to the code that ends a signal. */
	if (!address || prof_code_is_signal_return(arch, target, address))
		return address;
	return address - 1;
}

uint64_t prof_caller_at_entry(const struct prof_arch *arch, const struct prof_target *target,
	const struct prof_registers *registers)
{
	return prof_caller_of_return(arch, target, return_address(arch, target, registers));
}
