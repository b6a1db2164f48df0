/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/arch.h"
#include "target/unwind.h"

#include "base/compiler.h"
#include "suite.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/*
 * AArch64 on every machine: a program was stepped under an emulator, and what GDB made of its stack
 * was recorded.  The unwinder gets the program's file for a vdso, which is read from memory.
 */

/* DWARF numbers. */
enum { FP = 29, LINK, SP, REGISTERS };

/*
 * What is different from the stop before: register WHERE ('r'), the word at address WHERE ('m'), or
 * frame WHERE, the outermost being number 0 ('f').  Then the stop itself ('s') at the address
 * VALUE, with WHERE frames, the innermost of which is there.
 */
struct change {
	char what;
	uint64_t where, value;
};

#include "aarch64/authenticated.h"
#include "aarch64/authenticated_leaves.h"
#include "aarch64/frameless.h"
#include "aarch64/optimized.h"
#include "aarch64/plain.h"

struct variant {
	const char *name;
	const uint64_t *elf;
	size_t elf_size; /* bytes */
	const struct change *changes;
	size_t count;
	const uint64_t *bare; /* bounds of functions without call frame information */
	const uint64_t *grow; /* of the function that keeps a frame pointer for itself */
	const uint64_t *leaf; /* of one that calls nothing */
};

#define VARIANT(name)                                                                      \
	{#name, name##_elf, sizeof name##_elf, name##_changes, PROF_COUNT(name##_changes), \
		name##_bare, name##_grow, name##_leaf},

static const struct variant variants[] = {VARIANT(plain) VARIANT(optimized) VARIANT(frameless)
		VARIANT(authenticated) VARIANT(authenticated_leaves)};

enum { DEPTH = 64, BASE = 0x400000, WORDS = 1024 };

/* Memory: the words of the stacks that were told of, by address, and the program at BASE. */
struct recorded {
	const struct variant *variant;
	struct prof_unwinder *unwinder;
	unsigned char *elf;
	struct {
		uint64_t address, value;
	} words[WORDS];
	size_t count;
	struct prof_registers registers;
	uint64_t frames[DEPTH]; /* the outermost first */
};

/* Words that nothing was told of are 0, above the lowest of their stack and not far away. */
static bool find_word(const struct recorded *recorded, uint64_t address, uint64_t *ret)
{
	const uint64_t near = 8192;
	bool found = false;

	*ret = 0;
	for (size_t i = 0; i < recorded->count; i++) {
		uint64_t at = recorded->words[i].address;
		found |= at <= address && address - at < near;
		if (at == address)
			*ret = recorded->words[i].value;
	}
	return found;
}

static size_t read_recorded(void *context, uint64_t address, void *buffer, size_t length)
{
	const struct recorded *recorded = context;
	uint64_t offset = address - BASE;
	size_t size = recorded->variant->elf_size;
	size_t got = 0;
	uint64_t word;

	if (offset < size) {
		got = length < size - offset ? length : size - offset;
		memcpy(buffer, recorded->elf + offset, got);
		return got;
	}
	for (; got < length && find_word(recorded, (address + got) / 8 * 8, &word); got++)
		((char *)buffer)[got] = (char)(word >> (address + got) % 8 * 8);
	return got;
}

static void set_word(struct recorded *recorded, uint64_t address, uint64_t value)
{
	size_t i = 0;

	while (i < recorded->count && recorded->words[i].address != address)
		i++;
	ck_assert_uint_lt(i, WORDS);
	recorded->words[i].address = address;
	recorded->words[i].value = value;
	recorded->count += i == recorded->count;
}

/* Takes CHANGE over into RECORDED.  True: it is a stop. */
static bool take(struct recorded *recorded, const struct change *change)
{
	switch (change->what) {
	case 'r':
		recorded->registers.value[change->where] = change->value;
		return false;
	case 'm':
		set_word(recorded, change->where, change->value);
		return false;
	case 'f':
		ck_assert_uint_lt(change->where, DEPTH);
		recorded->frames[change->where] = change->value;
		return false;
	default:
		recorded->registers.pc = change->value;
		recorded->registers.valid = UINT64_C(0xffffffff);
		return true;
	}
}

/* Takes the call frame information out of the file at ELF. */
static void hide_cfi(unsigned char *elf)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)elf;
	Elf64_Phdr *segments = (Elf64_Phdr *)(elf + header->e_phoff);

	for (unsigned i = 0; i < header->e_phnum; i++) {
		if (segments[i].p_type == PT_GNU_EH_FRAME)
			segments[i].p_type = PT_NULL;
	}
	header->e_shoff = 0;
	header->e_shnum = 0;
	header->e_shstrndx = 0;
}

/* Begins with VARIANT, with call frame information or without. */
static void begin(struct recorded *recorded, const struct variant *variant, bool cfi)
{
	const struct prof_target target = {read_recorded, recorded};
	char maps[128];

	memset(recorded, 0, sizeof *recorded);
	recorded->variant = variant;
	recorded->elf = malloc(variant->elf_size);
	ck_assert_ptr_nonnull(recorded->elf);
	memcpy(recorded->elf, variant->elf, variant->elf_size);
	if (!cfi)
		hide_cfi(recorded->elf);
	snprintf(maps, sizeof maps, "%x-%zx r-xp 00000000 00:00 0  [vdso]\n", BASE,
		BASE + variant->elf_size);
	ck_assert_ok(prof_unwinder_create_recorded(
		&prof_arch_aarch64, maps, &target, &recorded->unwinder));
}

static void end(struct recorded *recorded)
{
	prof_unwinder_destroy(recorded->unwinder);
	free(recorded->elf);
}

struct stack {
	uint64_t frames[DEPTH];
	size_t count;
	enum prof_stack_end end;
};

static void walk(const struct recorded *recorded, uint64_t valid, struct stack *stack)
{
	struct prof_registers registers = recorded->registers;

	registers.valid &= valid;
	stack->count = prof_unwinder_walk(
		recorded->unwinder, &registers, stack->frames, DEPTH, &stack->end);
}

/* Whether the frame of STACK with NUMBER is what it should be at STOP. */
static bool is_right(const struct recorded *recorded, const struct change *stop,
	const struct stack *stack, size_t number)
{
	if (number >= stop->where)
		return false;
	if (!number)
		return stack->frames[0] == stop->value;
	return stack->frames[number] == recorded->frames[stop->where - 1 - number];
}

/* How many frames of STACK are right, from the innermost on. */
static size_t count_right(
	const struct recorded *recorded, const struct change *stop, const struct stack *stack)
{
	size_t right = 0;

	while (right < stack->count && is_right(recorded, stop, stack, right))
		right++;
	return right;
}

static void expect_all(
	const struct recorded *recorded, const struct change *stop, const struct stack *stack)
{
	const char *name = recorded->variant->name;
	unsigned long pc = stop->value;

	ck_assert_msg(stack->count == stop->where, "%s at %#lx: %zu frames of %zu", name, pc,
		stack->count, (size_t)stop->where);
	ck_assert_msg(count_right(recorded, stop, stack) == stack->count,
		"%s at %#lx: frame %zu is wrong", name, pc, count_right(recorded, stop, stack));
	ck_assert_msg(stack->end == PROF_STACK_WHOLE, "%s at %#lx", name, pc);
}

/* Walks from every stop of VARIANT, with or without CFI, with the registers VALID; calls CHECK. */
static void walk_all(const struct variant *variant, bool cfi, uint64_t valid,
	void (*check)(const struct recorded *, const struct change *, const struct stack *))
{
	struct recorded recorded;
	struct stack stack;

	begin(&recorded, variant, cfi);
	for (size_t i = 0; i < variant->count; i++) {
		if (!take(&recorded, &variant->changes[i]))
			continue;
		walk(&recorded, valid, &stack);
		check(&recorded, &variant->changes[i], &stack);
	}
	end(&recorded);
}

/* What is not the whole stack has failed, and is right as far as it goes. */
static void expect_some(
	const struct recorded *recorded, const struct change *stop, const struct stack *stack)
{
	if (stack->end == PROF_STACK_WHOLE) {
		expect_all(recorded, stop, stack);
		return;
	}
	ck_assert_int_eq(stack->end, PROF_STACK_FAILED);
	ck_assert_msg(count_right(recorded, stop, stack) == stack->count,
		"%s at %#lx: frame %zu of %zu is wrong", recorded->variant->name,
		(unsigned long)stop->value, count_right(recorded, stop, stack), stack->count);
}

static bool is_in(uint64_t address, const uint64_t *bounds)
{
	return address >= bounds[0] && address < bounds[1];
}

/* Functions without a frame pointer, called by code that is not known, cannot be left. */
static void expect_described(
	const struct recorded *recorded, const struct change *stop, const struct stack *stack)
{
	bool frameless = !strcmp(recorded->variant->name, "frameless");
	bool bare = false;

	for (size_t i = 0; i < stack->count; i++)
		bare |= is_in(stack->frames[i], recorded->variant->bare);
	if (frameless && bare) {
		expect_some(recorded, stop, stack);
		ck_assert_uint_ge(stack->count, 2);
	} else {
		expect_all(recorded, stop, stack);
	}
}

START_TEST(is_right_at_every_instruction)
{
	for (size_t i = 0; i < PROF_COUNT(variants); i++)
		walk_all(&variants[i], true, UINT64_MAX, expect_described);
}
END_TEST

START_TEST(needs_three_registers_only)
{
	const uint64_t needed = UINT64_C(1) << SP | UINT64_C(1) << LINK | UINT64_C(1) << FP;

	for (size_t i = 0; i < PROF_COUNT(variants); i++)
		walk_all(&variants[i], true, needed, expect_described);
}
END_TEST

START_TEST(a_stack_pointer_alone_gives_nothing_that_is_wrong)
{
	for (size_t i = 0; i < PROF_COUNT(variants); i++)
		walk_all(&variants[i], true, UINT64_C(1) << SP, expect_some);
}
END_TEST

/* Some instructions behind where it begins, grow() goes by its frame pointer alone for a while.
 */
static void expect_grown(
	const struct recorded *recorded, const struct change *stop, const struct stack *stack)
{
	uint64_t offset = stop->value - recorded->variant->grow[0];

	if (offset >= 28 && offset < 44)
		expect_all(recorded, stop, stack);
}

START_TEST(finds_the_frame_pointer_with_a_stack_pointer_alone)
{
	for (size_t i = 0; i < PROF_COUNT(variants); i++)
		walk_all(&variants[i], true, UINT64_C(1) << SP, expect_grown);
}
END_TEST

START_TEST(a_return_into_what_calls_nothing_goes_no_further)
{
	for (size_t i = 0; i < PROF_COUNT(variants); i++) {
		const struct variant *variant = &variants[i];
		struct recorded recorded;
		struct stack stack;
		size_t at = 0;
		begin(&recorded, variant, true);
		while (!take(&recorded, &variant->changes[at]) ||
			variant->changes[at].value < variant->grow[0] + 28 ||
			variant->changes[at].value >= variant->grow[1])
			at++;
		set_word(&recorded, recorded.registers.value[FP] + 8, variant->leaf[0] + 1);
		walk(&recorded, UINT64_MAX, &stack);
		ck_assert_int_eq(stack.end, PROF_STACK_FAILED);
		ck_assert_uint_eq(stack.count, 2);
		ck_assert_uint_eq(stack.frames[1], variant->leaf[0]);
		end(&recorded);
	}
}
END_TEST

/* Of a handler, the frame pointer does not tell where the kernel saved what it interrupted. */
static void expect_handled(
	const struct recorded *recorded, const struct change *stop, const struct stack *stack)
{
	if (recorded->registers.value[SP] < UINT64_C(0x5500000000)) {
		expect_some(recorded, stop, stack);
		ck_assert_uint_ge(stack->count, 2);
	} else {
		expect_all(recorded, stop, stack);
	}
}

START_TEST(follows_frame_pointers_where_nothing_else_is_known)
{
	/* Of the others, some functions have no frame, or were not called but jumped to. */
	static const char *const fit[] = {"plain", "authenticated"};

	for (size_t i = 0; i < PROF_COUNT(variants); i++) {
		for (size_t j = 0; j < PROF_COUNT(fit); j++) {
			if (!strcmp(variants[i].name, fit[j]))
				walk_all(&variants[i], false, UINT64_MAX, expect_handled);
		}
	}
}
END_TEST

static uint64_t roll(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 24;
}

/* Spoils some registers and words of RECORDED, and walks. */
static void walk_spoilt(struct recorded *recorded, uint64_t *state)
{
	struct recorded spoilt = *recorded;
	struct stack stack;

	for (unsigned i = 0; i < REGISTERS; i++) {
		if (!(roll(state) % 8))
			spoilt.registers.value[i] = roll(state) << roll(state) % 32;
		else if (!(roll(state) % 8))
			spoilt.registers.value[i] =
				spoilt.words[roll(state) % spoilt.count].address;
	}
	spoilt.registers.pc = BASE + roll(state) % recorded->variant->elf_size;
	spoilt.registers.valid = roll(state) % 4 ? UINT64_MAX >> 32 : roll(state);
	for (unsigned i = 0; i < 4; i++) {
		recorded->words[roll(state) % recorded->count].value =
			roll(state) % 2 ? BASE + roll(state) % 2048 : roll(state);
	}
	walk(&spoilt, UINT64_MAX, &stack);
	ck_assert_uint_ge(stack.count, 1);
	ck_assert_uint_eq(stack.frames[0], spoilt.registers.pc);
	memcpy(recorded->words, spoilt.words, sizeof spoilt.words);
}

START_TEST(broken_stacks_do_no_harm)
{
	struct recorded recorded;
	uint64_t state = 1;

	for (size_t i = 0; i < 2 * PROF_COUNT(variants); i++) {
		const struct variant *variant = &variants[i / 2];
		begin(&recorded, variant, i % 2);
		for (size_t j = 0; j < variant->count; j++) {
			if (take(&recorded, &variant->changes[j]) && recorded.count)
				walk_spoilt(&recorded, &state);
		}
		end(&recorded);
	}
}
END_TEST

START_TEST(a_damaged_map_is_an_error)
{
	struct recorded recorded = {0};
	const struct prof_target target = {read_recorded, &recorded};
	struct prof_unwinder *unwinder = NULL;
	struct prof_error *error =
		prof_unwinder_create_recorded(&prof_arch_aarch64, "400000-", &target, &unwinder);

	ck_assert_ptr_nonnull(error);
	ck_assert_ptr_null(unwinder);
	prof_error_destroy(error);
}
END_TEST

RUN_TESTS("aarch64", is_right_at_every_instruction, needs_three_registers_only,
	a_stack_pointer_alone_gives_nothing_that_is_wrong,
	finds_the_frame_pointer_with_a_stack_pointer_alone,
	a_return_into_what_calls_nothing_goes_no_further,
	follows_frame_pointers_where_nothing_else_is_known, broken_stacks_do_no_harm,
	a_damaged_map_is_an_error)
