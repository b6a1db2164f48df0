/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/expression.h"

#include "suite.h"
#include "target/target.h"
#include "target/window.h"

#include <dwarf.h>

enum { OPERATIONS = 8 };

/* The target's memory: word N at BASE + 8 * N. */
#define BASE UINT64_C(0x7ffc00000000)
static const uint64_t memory[] = {BASE + 16, 0x1122334455667788, 42};

static size_t read_memory(void *context, uint64_t address, void *buffer, size_t length)
{
	(void)context;
	if (address < BASE || address >= BASE + sizeof memory)
		return 0;
	size_t left = BASE + sizeof memory - address;
	size_t got = left < length ? left : length;
	memcpy(buffer, (const char *)memory + (address - BASE), got);
	return got;
}

/* Computes OPERATIONS with register 7 = BASE and CFA = BASE + 24. */
static bool compute(const Dwarf_Op *operations, size_t count, uint64_t *ret)
{
	const struct prof_target target = {read_memory, NULL};
	const struct prof_registers registers = {.valid = 1 << 7, .value = {[7] = BASE}};
	struct prof_expressions table = {0};
	struct prof_window window;

	prof_window_init(&window, &target);
	prof_window_begin(&window, BASE, 0);
	uint32_t index = prof_expressions_add(&table, operations, count, 0x1000);
	bool computed = index != PROF_NONE &&
		prof_expressions_compute(&table, index, &registers, BASE + 24, &window, ret);
	prof_window_deinit(&window);
	prof_expressions_deinit(&table);
	return computed;
}

struct sum {
	Dwarf_Op operations[OPERATIONS];
	size_t count;
	uint64_t value;
};

#define U(number_)                             \
	{                                      \
		DW_OP_const8u, (number_), 0, 0 \
	}
#define S(number_)                                                \
	{                                                         \
		DW_OP_const8s, (uint64_t)(int64_t)(number_), 0, 0 \
	}
#define O(atom_)                       \
	{                              \
		DW_OP_##atom_, 0, 0, 0 \
	}

static const struct sum sums[] = {
	{{O(lit31)}, 1, 31},
	{{{DW_OP_addr, 0x234, 0, 0}}, 1, 0x1234},
	{{{DW_OP_breg7, 8, 0, 0}}, 1, BASE + 8},
	{{{DW_OP_bregx, 7, (uint64_t)-8, 0}}, 1, BASE - 8},
	{{O(call_frame_cfa)}, 1, BASE + 24},
	{{O(call_frame_cfa), O(stack_value)}, 2, BASE + 24},
	{{{DW_OP_breg7, 0, 0, 0}, O(deref), O(deref)}, 3, 42},
	{{{DW_OP_breg7, 8, 0, 0}, {DW_OP_deref_size, 2, 0, 0}}, 2, 0x7788},
	{{{DW_OP_breg7, 8, 0, 0}, {DW_OP_deref_size, 8, 0, 0}}, 2, 0x1122334455667788},
	{{U(3), O(dup), O(mul)}, 3, 9},
	{{U(3), U(4), O(drop)}, 3, 3},
	{{U(3), U(4), O(over), O(minus), O(minus)}, 5, 2},
	{{U(3), U(4), U(5), {DW_OP_pick, 2, 0, 0}}, 4, 3},
	{{U(3), U(4), O(swap), O(minus)}, 4, 1},
	{{U(1), U(2), U(3), O(rot), O(drop)}, 5, 1},
	{{U(1), U(2), U(3), O(rot), O(drop), O(drop)}, 6, 3},
	{{S(-5), O(abs)}, 2, 5},
	{{U(5), O(neg)}, 2, (uint64_t)-5},
	{{U(5), O(not )}, 2, ~UINT64_C(5)},
	{{U(12), U(10), O(and)}, 3, 8},
	{{U(12), U(10), O(or)}, 3, 14},
	{{U(12), U(10), O(xor)}, 3, 6},
	{{U(12), U(10), O(plus)}, 3, 22},
	{{U(12), {DW_OP_plus_uconst, 7, 0, 0}}, 2, 19},
	{{S(-12), U(5), O(div)}, 3, (uint64_t)-2},
	{{U(12), U(5), O(mod)}, 3, 2},
	{{U(1), U(4), O(shl)}, 3, 16},
	{{U(1), U(64), O(shl)}, 3, 0},
	{{S(-16), U(60), O(shr)}, 3, 15},
	{{S(-16), U(2), O(shra)}, 3, (uint64_t)-4},
	{{S(-16), U(0), O(shra)}, 3, (uint64_t)-16},
	{{S(-16), U(99), O(shra)}, 3, UINT64_MAX},
	{{U(16), U(99), O(shra)}, 3, 0},
	{{{DW_OP_const8u, UINT64_C(1) << 63, 0, 0}, S(-1), O(div)}, 3, UINT64_C(1) << 63},
	{{U(3), U(3), O(eq)}, 3, 1},
	{{U(3), U(3), O(ne)}, 3, 0},
	{{S(-1), U(1), O(lt)}, 3, 1},
	{{S(-1), U(1), O(gt)}, 3, 0},
	{{U(1), U(1), O(le)}, 3, 1},
	{{U(1), U(2), O(ge)}, 3, 0},
	/* lit1 bra +1 (over lit5) lit7, with offsets in bytes; and the other way round */
	{{{DW_OP_lit3, 0, 0, 0}, {DW_OP_lit1, 0, 0, 1}, {DW_OP_bra, 1, 0, 2}, {DW_OP_lit5, 0, 0, 5},
		 {DW_OP_plus_uconst, 1, 0, 6}},
		5, 4},
	{{{DW_OP_lit3, 0, 0, 0}, {DW_OP_lit0, 0, 0, 1}, {DW_OP_bra, 1, 0, 2}, {DW_OP_lit5, 0, 0, 5},
		 {DW_OP_plus_uconst, 1, 0, 6}},
		5, 6},
	/* a jump to the very end */
	{{{DW_OP_lit3, 0, 0, 0}, {DW_OP_skip, 1, 0, 1}, {DW_OP_lit5, 0, 0, 4}}, 3, 3},
};

START_TEST(computes_what_dwarf_says)
{
	for (size_t i = 0; i < PROF_COUNT(sums); i++) {
		uint64_t value = 0xdead;
		ck_assert_msg(compute(sums[i].operations, sums[i].count, &value), "row %zu", i);
		ck_assert_msg(value == sums[i].value, "row %zu: %#lx", i, (unsigned long)value);
	}
}
END_TEST

static const struct sum impossible[] = {
	{{O(nop)}, 1, 0},
	{{O(drop)}, 1, 0},
	{{U(1), O(plus)}, 2, 0},
	{{U(1), O(swap)}, 2, 0},
	{{U(1), U(2), O(rot)}, 3, 0},
	{{U(1), {DW_OP_pick, 1, 0, 0}}, 2, 0},
	{{U(1), {DW_OP_pick, UINT64_MAX, 0, 0}}, 2, 0},
	{{O(neg)}, 1, 0},
	{{O(bra)}, 1, 0},
	{{U(1), U(0), O(div)}, 3, 0},
	{{U(1), U(0), O(mod)}, 3, 0},
	{{{DW_OP_breg6, 0, 0, 0}}, 1, 0},
	{{{DW_OP_bregx, 1000, 0, 0}}, 1, 0},
	{{U(8), O(deref)}, 2, 0},
	{{{DW_OP_breg7, 20, 0, 0}, O(deref)}, 2, 0},
	{{{DW_OP_breg7, 0, 0, 0}, {DW_OP_deref_size, 0, 0, 0}}, 2, 0},
	{{{DW_OP_breg7, 0, 0, 0}, {DW_OP_deref_size, 9, 0, 0}}, 2, 0},
	{{{DW_OP_fbreg, 0, 0, 0}}, 1, 0},
	/* jumps into the middle of an operation, and before the first */
	{{{DW_OP_const8u, 1, 0, 0}, {DW_OP_skip, (uint64_t)-10, 0, 9}}, 2, 0},
	{{{DW_OP_const8u, 1, 0, 0}, {DW_OP_skip, (uint64_t)-99, 0, 9}}, 2, 0},
	/* loops: in place, and while it fills the stack */
	{{{DW_OP_skip, (uint64_t)-3, 0, 0}}, 1, 0},
	{{{DW_OP_lit1, 0, 0, 0}, {DW_OP_skip, (uint64_t)-4, 0, 1}}, 2, 0},
};

START_TEST(refuses_what_comes_to_nothing)
{
	for (size_t i = 0; i < PROF_COUNT(impossible); i++) {
		uint64_t value = 0xdead;
		ck_assert_msg(!compute(impossible[i].operations, impossible[i].count, &value),
			"row %zu", i);
		ck_assert_uint_eq(value, 0xdead);
	}
}
END_TEST

START_TEST(keeps_expressions_apart)
{
	const struct prof_registers registers = {0};
	const Dwarf_Op one[] = {O(lit1)};
	const Dwarf_Op five[] = {O(lit2), O(lit3), O(plus)};
	struct prof_expressions table = {0};
	uint64_t value;

	uint32_t first = prof_expressions_add(&table, one, 1, 0);
	uint32_t second = prof_expressions_add(&table, five, 3, 0);
	ck_assert(prof_expressions_compute(&table, first, &registers, 0, NULL, &value));
	ck_assert_uint_eq(value, 1);
	ck_assert(prof_expressions_compute(&table, second, &registers, 0, NULL, &value));
	ck_assert_uint_eq(value, 5);
	prof_expressions_deinit(&table);
}
END_TEST

RUN_TESTS("expression", computes_what_dwarf_says, refuses_what_comes_to_nothing,
	keeps_expressions_apart)
