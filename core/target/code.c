#include "target/code.h"

bool prof_code_read(
	const struct prof_target *target, uint64_t address, unsigned char code[PROF_ARCH_CODE])
{
	return target->read_memory(target->context, address - PROF_ARCH_CODE_PAST, code,
		       PROF_ARCH_CODE) == PROF_ARCH_CODE;
}

bool prof_code_is_signal_return(
	const struct prof_arch *arch, const struct prof_target *target, uint64_t address)
{
	unsigned char code[PROF_ARCH_CODE];

	return prof_code_read(target, address, code) && arch->is_signal_return(code);
}

bool prof_code_is_behind_call(const struct prof_arch *arch, const struct prof_target *target,
	uint64_t return_address, uint64_t *destination)
{
	unsigned char bytes[PROF_ARCH_CALL];

	return target->read_memory(target->context, return_address - sizeof bytes, bytes,
		       sizeof bytes) == sizeof bytes &&
		arch->ends_in_call(bytes, return_address, destination);
}
