/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who has called a function, at its first instruction. */
#include "target/caller.h"

#include "suite.h"
#include "target/arch.h"
#include "target/target.h"

#include <string.h>

enum { STACK = 0x1000, CODE = 0x2000, SIZE = 128, CALL = CODE + 40, RETURN = CODE + 80 };

static unsigned char stack[SIZE], code[SIZE];

static size_t read_memory(void *context, uint64_t address, void *buffer, size_t length)
{
	(void)context;
	if (address >= STACK && address + length <= STACK + SIZE)
		memcpy(buffer, stack + (address - STACK), length);
	else if (address >= CODE && address + length <= CODE + SIZE)
		memcpy(buffer, code + (address - CODE), length);
	else
		return 0;
	return length;
}

static const struct prof_target target = {read_memory, NULL};

/* The caller where the return address is RETURNS. */
static uint64_t caller(const struct prof_arch *arch, uint64_t returns)
{
	struct prof_registers registers = {.valid = UINT64_MAX};

	registers.value[arch->sp] = STACK + 16;
	registers.value[arch->return_address] = returns;
	memcpy(stack + 16, &returns, sizeof returns);
	return prof_caller_at_entry(arch, &target, &registers);
}

START_TEST(call_is_before_the_return_address)
{
	ck_assert_uint_eq(caller(&prof_arch_x86_64, CALL), CALL - 1);
	ck_assert_uint_eq(caller(&prof_arch_x86_64, 0), 0);
	ck_assert_uint_eq(caller(&prof_arch_aarch64, CALL), CALL - 1);
	/* A signature is taken off. */
	ck_assert_uint_eq(caller(&prof_arch_aarch64, UINT64_C(0x55) << 56 | CALL), CALL - 1);
}
END_TEST

START_TEST(signal_handler_returns_to_what_was_not_called)
{
	static const unsigned char restorer[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};

	memcpy(code + RETURN - CODE, restorer, sizeof restorer);
	ck_assert_uint_eq(caller(&prof_arch_x86_64, RETURN), RETURN);
	ck_assert_uint_eq(prof_caller_of_return(&prof_arch_x86_64, &target, RETURN), RETURN);
	ck_assert_uint_eq(prof_caller_of_return(&prof_arch_x86_64, &target, CALL), CALL - 1);
	ck_assert_uint_eq(prof_caller_of_return(&prof_arch_x86_64, &target, 0), 0);
}
END_TEST

START_TEST(what_cannot_be_read_has_no_caller)
{
	struct prof_registers registers = {.valid = UINT64_MAX};

	registers.value[prof_arch_x86_64.sp] = STACK + SIZE - 4;
	ck_assert_uint_eq(prof_caller_at_entry(&prof_arch_x86_64, &target, &registers), 0);
	registers.valid = 0;
	ck_assert_uint_eq(prof_caller_at_entry(&prof_arch_x86_64, &target, &registers), 0);
	ck_assert_uint_eq(prof_caller_at_entry(&prof_arch_aarch64, &target, &registers), 0);
}
END_TEST

RUN_TESTS("caller", call_is_before_the_return_address,
	signal_handler_returns_to_what_was_not_called, what_cannot_be_read_has_no_caller)
