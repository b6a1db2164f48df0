/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/link.h"

#include "base/compiler.h"
#include "suite.h"
#include "target/arch.h"
#include "target/window.h"

#include <string.h>

/* DWARF numbers. */
enum { FP = 29, LINK, SP };

enum { BASE = 0x10000, CODE = 2048, STACK = 0x80000 };

/* Memory: instructions from BASE on, all nops but those that the tests set, and a little stack. */
struct memory {
	uint32_t code[CODE];
	uint64_t stack[4];
	struct prof_registers registers;
};

static const uint32_t nop = 0xd503201f, ret = 0xd65f03c0, retaa = 0xd65f0bff;
static const uint32_t blr = 0xd63f0120, bl = 0x94000000;
static const uint32_t push = 0xa9bf7bfd, pop = 0xa8c17bfd, store = 0xa9027bfd;
static const uint32_t point = 0x910003fd, point_up = 0x910083fd;

static size_t read_part(const void *part, size_t size, uint64_t offset, void *buffer, size_t length)
{
	if (offset >= size)
		return 0;
	size_t got = length < size - offset ? length : size - offset;
	memcpy(buffer, (const char *)part + offset, got);
	return got;
}

static size_t read_memory(void *context, uint64_t address, void *buffer, size_t length)
{
	const struct memory *memory = context;

	if (address >= STACK)
		return read_part(
			memory->stack, sizeof memory->stack, address - STACK, buffer, length);
	return read_part(memory->code, sizeof memory->code, address - BASE, buffer, length);
}

static uint64_t place(unsigned number)
{
	return BASE + number * sizeof(uint32_t);
}

/* Code that is interrupted at the instruction PC, after a call at the instruction CALL. */
static void begin(struct memory *memory, unsigned pc, unsigned call)
{
	memset(memory, 0, sizeof *memory);
	for (unsigned i = 0; i < CODE; i++)
		memory->code[i] = nop;
	memory->code[call] = blr;
	memory->registers.valid = UINT64_C(0xffffffff);
	memory->registers.pc = place(pc);
	memory->registers.value[LINK] = place(call + 1);
	memory->registers.value[SP] = STACK;
	memory->registers.value[FP] = STACK;
}

/* Makes the call at the instruction CALL one of the instruction TO. */
static void call_directly(struct memory *memory, unsigned call, unsigned to)
{
	memory->code[call] = bl | ((to - call) & 0x3ffffff);
}

static bool is_live(struct memory *memory)
{
	const struct prof_target target = {read_memory, memory};
	struct prof_window window;

	prof_window_init(&window, &target);
	prof_window_begin(&window, STACK, 0);
	bool live = prof_link_is_live(&prof_arch_aarch64, &window, &memory->registers);
	prof_window_deinit(&window);
	return live;
}

START_TEST(is_live_until_the_frame_pointer_points_at_a_frame)
{
	struct memory memory;

	for (unsigned pc = 100; pc < 108; pc++) {
		begin(&memory, pc, 500);
		call_directly(&memory, 500, 100);
		memory.code[101] = push;
		memory.code[103] = point;
		memory.code[105] = pop;
		memory.code[106] = ret;
		ck_assert_msg(is_live(&memory) == (pc <= 103 || pc == 106), "at %u", pc);
	}
}
END_TEST

START_TEST(a_frame_can_lie_above_others_words)
{
	struct memory memory;

	begin(&memory, 110, 500);
	call_directly(&memory, 500, 100);
	memory.code[102] = store;
	ck_assert(is_live(&memory));
	memory.code[103] = point_up;
	ck_assert(!is_live(&memory));
}
END_TEST

START_TEST(a_function_without_a_frame_is_known_by_its_call)
{
	struct memory memory;

	begin(&memory, 1000, 1500);
	memory.code[600] = point;
	call_directly(&memory, 1500, 700);
	ck_assert(is_live(&memory));
	/* The call was of another function, before that. */
	call_directly(&memory, 1500, 500);
	ck_assert(!is_live(&memory));
}
END_TEST

START_TEST(calls_by_address_are_believed_behind_a_return)
{
	static const uint32_t *const returns[] = {&ret, &retaa};
	struct memory memory;

	for (size_t i = 0; i < PROF_COUNT(returns); i++) {
		begin(&memory, 110, 500);
		memory.code[100] = *returns[i];
		ck_assert(is_live(&memory));
		/* A call of another function is one that this one has made. */
		call_directly(&memory, 500, 50);
		ck_assert(!is_live(&memory));
	}
}
END_TEST

START_TEST(the_address_that_the_frame_has_is_not_needed_from_the_register)
{
	struct memory memory;

	begin(&memory, 110, 500);
	memory.code[100] = ret;
	memory.stack[1] = place(501) | UINT64_C(0x25) << 48; /* signed */
	ck_assert(!is_live(&memory));
}
END_TEST

START_TEST(a_signature_does_not_matter)
{
	struct memory memory;

	begin(&memory, 110, 500);
	memory.code[100] = ret;
	memory.registers.value[LINK] |= UINT64_C(0x25) << 48;
	ck_assert(is_live(&memory));
}
END_TEST

START_TEST(if_in_doubt_it_is_not)
{
	struct memory memory;

	/* Nothing tells, as far as code goes back, and as far as it is looked at. */
	begin(&memory, 110, 500);
	ck_assert(!is_live(&memory));
	begin(&memory, 1900, 500);
	memory.code[700] = ret;
	ck_assert(!is_live(&memory));
	/* Not behind a call. */
	begin(&memory, 110, 500);
	memory.code[100] = ret;
	memory.registers.value[LINK] += 4;
	ck_assert(!is_live(&memory));
	memory.registers.value[LINK] = 0;
	ck_assert(!is_live(&memory));
	/* Not known. */
	begin(&memory, 110, 500);
	memory.code[100] = ret;
	ck_assert(is_live(&memory));
	memory.registers.valid ^= UINT64_C(1) << LINK;
	ck_assert(!is_live(&memory));
}
END_TEST

START_TEST(there_is_none_where_calls_push_the_return_address)
{
	struct memory memory;
	const struct prof_target target = {read_memory, &memory};
	struct prof_window window;

	begin(&memory, 110, 500);
	memory.code[100] = ret;
	prof_window_init(&window, &target);
	prof_window_begin(&window, STACK, 0);
	ck_assert(!prof_link_is_live(&prof_arch_x86_64, &window, &memory.registers));
	prof_window_deinit(&window);
}
END_TEST

RUN_TESTS("link", is_live_until_the_frame_pointer_points_at_a_frame,
	a_frame_can_lie_above_others_words, a_function_without_a_frame_is_known_by_its_call,
	calls_by_address_are_believed_behind_a_return,
	the_address_that_the_frame_has_is_not_needed_from_the_register, a_signature_does_not_matter,
	if_in_doubt_it_is_not, there_is_none_where_calls_push_the_return_address)
