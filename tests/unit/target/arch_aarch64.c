/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/arch.h"

#include "base/compiler.h"
#include "suite.h"

#include <elf.h>
#include <string.h>

/* What is known of AArch64 on every machine; aarch64.c walks its stacks. */

enum { REGISTERS = 32, PC = PROF_ARCH_CODE_PAST };

START_TEST(every_register_of_the_kernel_finds_its_number)
{
	uint64_t user[34];
	struct prof_registers registers = {0};

	for (unsigned i = 0; i < PROF_COUNT(user); i++)
		user[i] = 100 + i;
	ck_assert(prof_arch_aarch64.read_registers(user, sizeof user, &registers));
	ck_assert_uint_eq(prof_arch_aarch64.registers, REGISTERS);
	for (unsigned i = 0; i < REGISTERS; i++)
		ck_assert_uint_eq(registers.value[i], 100 + i);
	ck_assert_uint_eq(registers.pc, 132);
	ck_assert_uint_eq(registers.valid, 0xffffffff);
}
END_TEST

START_TEST(a_register_set_that_is_too_short_is_refused)
{
	const uint64_t user[33] = {0};
	struct prof_registers registers;

	ck_assert(!prof_arch_aarch64.read_registers(user, sizeof user, &registers));
}
END_TEST

START_TEST(the_machine_is_known_on_every_other)
{
	ck_assert_ptr_eq(prof_arch_find(EM_AARCH64), &prof_arch_aarch64);
}
END_TEST

struct call {
	uint32_t instruction;
	bool is;
	uint64_t destination;
};

static const struct call calls[] = {
	{0x94000040, true, 0x10fc},               /* bl +0x100 */
	{0x97ffffff, true, 0xff8},                /* bl -4 */
	{0x96000000, true, -UINT64_C(0x7fff004)}, /* bl -0x8000000 */
	{0xd63f0120, true, 0},                    /* blr x9 */
	{0xd63f093f, true, 0},                    /* blraaz x9 */
	{0xd63f0d3f, true, 0},                    /* blrabz x9 */
	{0xd73f092a, true, 0},                    /* blraa x9, x10 */
	{0xd73f0d2a, true, 0},                    /* blrab x9, x10 */
	{0x14000040, false, 0},                   /* b +0x100 */
	{0xd61f0120, false, 0},                   /* br x9 */
	{0xd65f03c0, false, 0},                   /* ret */
	{0xd503201f, false, 0},                   /* nop */
};

START_TEST(calls_are_told_from_other_instructions)
{
	for (size_t i = 0; i < PROF_COUNT(calls); i++) {
		unsigned char bytes[PROF_ARCH_CALL] = {0};
		uint64_t destination = 1;
		memcpy(bytes + sizeof bytes - 4, &calls[i].instruction, 4);
		bool is = prof_arch_aarch64.ends_in_call(bytes, 0x1000, &destination);
		ck_assert_msg(is == calls[i].is, "row %zu", i);
		ck_assert_uint_eq(destination, calls[i].destination);
	}
}
END_TEST

static const uint32_t bti_c = 0xd503245f, nop = 0xd503201f, autia1716 = 0xd503219f;
static const uint32_t push = 0xa9bf7bf0, adrp = 0x90000010, ldr = 0xf9400211, add = 0x91000210;
static const uint32_t jump = 0xd61f0220, ret = 0xd65f03c0;

/* Walks the program counter through the COUNT instructions at STUB, which push BEFORE the PUSH. */
static void check_stub(const uint32_t *stub, size_t count, int after)
{
	for (size_t at = 0; at < count; at++) {
		unsigned char code[3 * PROF_ARCH_CODE] = {0};
		memcpy(code + PROF_ARCH_CODE, stub, count * sizeof *stub);
		bool pushed = false;
		for (size_t i = 0; i < at; i++)
			pushed |= stub[i] == push;
		int found = prof_arch_aarch64.count_pushed(
			code + PROF_ARCH_CODE + at * sizeof *stub - PC);
		ck_assert_msg(found ==
				(after < 0               ? -1
						: pushed ? after
							 : 0),
			"at %zu: %d", at, found);
	}
}

#define CHECK_STUB(after, ...)                               \
	do {                                                 \
		const uint32_t stub_[] = {__VA_ARGS__};      \
		check_stub(stub_, PROF_COUNT(stub_), after); \
	} while (0)

START_TEST(stubs_of_the_linkage_table_are_told_from_functions)
{
	CHECK_STUB(2, push, adrp, ldr, add, jump);
	CHECK_STUB(2, bti_c, push, adrp, ldr, add, jump);
	CHECK_STUB(0, adrp, ldr, add, jump);
	CHECK_STUB(0, bti_c, adrp, ldr, add, jump);
	CHECK_STUB(0, adrp, ldr, add, autia1716, jump);
	CHECK_STUB(0, bti_c, adrp, ldr, add, autia1716, jump);
	CHECK_STUB(-1, nop, nop, nop, nop, nop, ret);
	CHECK_STUB(-1, adrp, add, ldr, jump);
}
END_TEST

START_TEST(a_stub_ends_with_its_jump)
{
	const uint32_t code[] = {adrp, ldr, add, jump, nop, nop, nop, nop};

	ck_assert_int_eq(prof_arch_aarch64.count_pushed((const unsigned char *)code), -1);
}
END_TEST

START_TEST(what_handlers_return_to_is_known_by_its_look)
{
	const uint32_t code[] = {nop, nop, nop, nop, nop, nop, nop, nop, 0xd2801168, 0xd4000001,
		nop, nop, nop, nop, nop, nop, nop};
	const unsigned char *first = (const unsigned char *)&code[8] - PC;

	/* The instructions themselves, and what is looked up for a return to the first. */
	ck_assert(prof_arch_aarch64.is_signal_return(first));
	ck_assert(prof_arch_aarch64.is_signal_return(first + 4));
	ck_assert(prof_arch_aarch64.is_signal_return(first - 1));
	ck_assert(!prof_arch_aarch64.is_signal_return(first - 4));
	ck_assert(!prof_arch_aarch64.is_signal_return(first + 8));
}
END_TEST

RUN_TESTS("arch aarch64", every_register_of_the_kernel_finds_its_number,
	a_register_set_that_is_too_short_is_refused, the_machine_is_known_on_every_other,
	calls_are_told_from_other_instructions, stubs_of_the_linkage_table_are_told_from_functions,
	a_stub_ends_with_its_jump, what_handlers_return_to_is_known_by_its_look)
