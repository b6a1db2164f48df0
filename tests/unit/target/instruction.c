/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/instruction.h"

#include "decoder.h"

#include <stdio.h>

enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8 };

static const uint64_t place = 0x401000;

static struct prof_instruction decode(const char *bytes, size_t length)
{
	struct prof_instruction instruction;

	ck_assert(
		prof_instruction_decode((const unsigned char *)bytes, length, place, &instruction));
	ck_assert_uint_eq(instruction.length, length);
	return instruction;
}

/* Of a literal, without its NUL. */
#define DECODE(bytes) decode(bytes, sizeof(bytes) - 1)

/* Registers with a value each, 0x1000 times its number and 1. */
static struct prof_registers make_registers(void)
{
	struct prof_registers registers = {.pc = place, .valid = 0xffff};

	for (unsigned i = 0; i < 16; i++)
		registers.value[i] = 0x1000 * (i + 1);
	return registers;
}

/* The address of the only operand of INSTRUCTION, with registers that have not changed. */
static uint64_t address_of(const struct prof_instruction *instruction)
{
	const struct prof_registers registers = make_registers();
	uint64_t address;

	ck_assert_uint_eq(instruction->count, 1);
	ck_assert(prof_operand_address(&instruction->operands[0], &registers, 0, &address));
	return address;
}

START_TEST(loads_and_stores_are_told_apart)
{
	struct prof_instruction load =
		DECODE("\x48\x8b\x44\x8b\x10");                    /* mov 16(%rbx,%rcx,4),%rax */
	struct prof_instruction store = DECODE("\x89\x37");        /* mov %esi,(%rdi) */
	struct prof_instruction both = DECODE("\x48\x83\x00\x01"); /* addq $1,(%rax) */
	struct prof_instruction none =
		DECODE("\x48\x8d\x44\x8b\x10"); /* lea 16(%rbx,%rcx,4),%rax */
	struct prof_instruction empty = DECODE("\x0f\x1f\x44\x00\x00"); /* nopl 0(%rax,%rax,1) */
	struct prof_instruction hint = DECODE("\x0f\x18\x08");          /* prefetcht0 (%rax) */

	ck_assert_uint_eq(load.access, PROF_ACCESS_LOAD);
	ck_assert_uint_eq(load.operands[0].size, 8);
	ck_assert_uint_eq(load.written, 1 << RAX);
	ck_assert_uint_eq(address_of(&load), 0x4000 + 4 * 0x3000 + 0x10);
	ck_assert_uint_eq(store.access, PROF_ACCESS_STORE);
	ck_assert_uint_eq(store.operands[0].size, 4);
	ck_assert_uint_eq(store.written, 0);
	ck_assert_uint_eq(address_of(&store), 0x6000);
	ck_assert_uint_eq(both.access, PROF_ACCESS_LOAD_STORE);
	ck_assert_uint_eq(none.access | empty.access | hint.access, PROF_ACCESS_NONE);
	ck_assert_uint_eq(none.written, 1 << RAX);
}
END_TEST

START_TEST(addresses_may_be_relative_to_the_code)
{
	/* mov -0x20(%rip),%eax; vmovups 32(%r8),%ymm0 */
	struct prof_instruction near = DECODE("\x8b\x05\xe0\xff\xff\xff");
	struct prof_instruction wide = DECODE("\xc4\xc1\x7c\x10\x40\x20");

	ck_assert_uint_eq(address_of(&near), place + 6 - 0x20);
	ck_assert_uint_eq(address_of(&wide), 0x9000 + 32);
	ck_assert_uint_eq(wide.operands[0].size, 32);
}
END_TEST

START_TEST(the_stack_is_memory_too)
{
	struct prof_instruction push = DECODE("\x53");  /* push %rbx */
	struct prof_instruction pop = DECODE("\x5b");   /* pop %rbx */
	struct prof_instruction leave = DECODE("\xc9"); /* leave */

	ck_assert_uint_eq(push.access, PROF_ACCESS_STORE);
	ck_assert_uint_eq(address_of(&push), 0x8000 - 8);
	ck_assert_uint_eq(push.written, 1 << RSP);
	ck_assert_uint_eq(pop.access, PROF_ACCESS_LOAD);
	ck_assert_uint_eq(address_of(&pop), 0x8000);
	ck_assert_uint_eq(pop.written, 1 << RSP | 1 << RBX);
	ck_assert_uint_eq(leave.access, PROF_ACCESS_LOAD);
	ck_assert_uint_eq(leave.written, 1 << RSP | 1 << RBP);
}
END_TEST

/* What a register that has changed would tell is wrong, and so what nobody knows. */
START_TEST(addresses_are_known_or_not)
{
	const struct prof_registers registers = make_registers();
	struct prof_instruction load =
		DECODE("\x48\x8b\x44\x8b\x10"); /* mov 16(%rbx,%rcx,4),%rax */
	/* mov %fs:0x28,%rax; bt %rax,(%rbx); vpgatherdd %ymm1,(%rax,%ymm2),%ymm0; mov (%eax),%eax
	 */
	struct prof_instruction odd[] = {DECODE("\x64\x48\x8b\x04\x25\x28\x00\x00\x00"),
		DECODE("\x48\x0f\xa3\x03"), DECODE("\xc4\xe2\x75\x90\x04\x10"),
		DECODE("\x67\x8b\x00"), DECODE("\x8f\x44\x24\x08")};
	struct prof_registers few = registers;
	uint64_t address;

	ck_assert(!prof_operand_address(&load.operands[0], &registers, 1 << RCX, &address));
	ck_assert(prof_operand_address(&load.operands[0], &registers, 1 << RAX, &address));
	few.valid &= ~(uint64_t)(1 << RBX);
	ck_assert(!prof_operand_address(&load.operands[0], &few, 0, &address));
	for (size_t i = 0; i < PROF_COUNT(odd); i++) {
		ck_assert_uint_ge(odd[i].count, 1);
		for (size_t j = 0; j < odd[i].count; j++) {
			if (odd[i].operands[j].base != RSP || odd[i].operands[j].displacement)
				ck_assert(!odd[i].operands[j].computable);
		}
	}
}
END_TEST

START_TEST(control_goes_on_forks_or_leaves)
{
	struct prof_instruction on = DECODE("\x48\x01\xd8");           /* add %rbx,%rax */
	struct prof_instruction forks = DECODE("\x75\xf0");            /* jne -16 */
	struct prof_instruction jump = DECODE("\xeb\x10");             /* jmp +16 */
	struct prof_instruction call = DECODE("\xe8\x00\x01\x00\x00"); /* call +256 */
	struct prof_instruction table =
		DECODE("\xff\x24\xc5\x00\x10\x40\x00");            /* jmp *0x401000(,%rax,8) */
	struct prof_instruction anywhere = DECODE("\x3e\xff\xe0"); /* notrack jmp *%rax */
	struct prof_instruction linked = DECODE("\xff\x25\x00\x01\x00\x00"); /* jmp *256(%rip) */
	/* call *%rax, ret, syscall, int3, ud2 */
	struct prof_instruction away[] = {DECODE("\xff\xd0"), DECODE("\xc3"), DECODE("\x0f\x05"),
		DECODE("\xcc"), DECODE("\x0f\x0b")};

	ck_assert_uint_eq(on.flow, PROF_FLOW_ON);
	ck_assert_uint_eq(forks.flow, PROF_FLOW_FORKS);
	ck_assert(forks.aimed && forks.target == place + 2 - 16);
	ck_assert_uint_eq(jump.flow, PROF_FLOW_LEAVES);
	ck_assert(jump.aimed && !jump.wild && jump.target == place + 2 + 16);
	ck_assert_uint_eq(call.flow, PROF_FLOW_LEAVES);
	ck_assert(call.aimed && call.access == PROF_ACCESS_STORE && call.target == place + 5 + 256);
	ck_assert(table.wild && anywhere.wild && !table.aimed && !anywhere.aimed);
	ck_assert(linked.flow == PROF_FLOW_LEAVES && !linked.wild);
	for (size_t i = 0; i < PROF_COUNT(away); i++)
		ck_assert(away[i].flow == PROF_FLOW_LEAVES && !away[i].aimed && !away[i].wild);
}
END_TEST

/* A copy may be interrupted before each of its bytes: it is before itself. */
START_TEST(strings_go_on_with_themselves)
{
	struct prof_instruction copy = DECODE("\xf3\xa4"); /* rep movsb */
	struct prof_instruction once = DECODE("\xa4");     /* movsb */

	ck_assert(copy.flow == PROF_FLOW_FORKS && copy.aimed && copy.target == place);
	ck_assert_uint_eq(copy.access, PROF_ACCESS_LOAD_STORE);
	ck_assert_uint_eq(copy.count, 2);
	ck_assert_uint_eq(copy.written, 1 << RCX | 1 << RSI | 1 << RDI);
	ck_assert(once.flow == PROF_FLOW_ON && once.count == 2);
}
END_TEST

START_TEST(what_is_no_instruction_is_refused)
{
	struct prof_instruction instruction;

	/* In 64-bit mode it is none; and one that is cut off. */
	ck_assert(!prof_instruction_decode((const unsigned char *)"\x06", 1, place, &instruction));
	ck_assert(!prof_instruction_decode(
		(const unsigned char *)"\x48\x8b", 2, place, &instruction));
	ck_assert(!prof_instruction_decode((const unsigned char *)"", 0, place, &instruction));
}
END_TEST

RUN_DECODER_TESTS("instruction", loads_and_stores_are_told_apart,
	addresses_may_be_relative_to_the_code, the_stack_is_memory_too, addresses_are_known_or_not,
	control_goes_on_forks_or_leaves, strings_go_on_with_themselves,
	what_is_no_instruction_is_refused)
