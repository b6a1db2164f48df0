/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers that the kernel has saved on stacks. */
#include "patching/interrupted.h"

#include "suite.h"

#include <string.h>

enum { BASE = 0x10000, OTHER = 0x8000000, COUNT = 10000, USUAL = 0x246 };

#define SEGMENTS UINT64_C(0x002b000000000033)

/* A stack at BASE, and another one. */
static uint64_t words[2][COUNT];
static size_t readable = COUNT;

static size_t read_stacks(void *context, uint64_t address, void *buffer, size_t length)
{
	const uint64_t bases[] = {BASE, OTHER};
	const size_t size = readable * sizeof **words;

	(void)context;
	for (int i = 0; i < 2; i++) {
		if (address < bases[i] || address >= bases[i] + size)
			continue;
		uint64_t offset = address - bases[i];
		size_t got = size - offset < length ? size - offset : length;
		memcpy(buffer, (const char *)words[i] + offset, got);
		return got;
	}
	return 0;
}

static const struct prof_target memory = {read_stacks, NULL};
static struct prof_interrupted found;

/* Puts registers with PC and SP at the word AT of the stack NUMBER. */
static void save(int number, size_t at, uint64_t sp, uint64_t pc)
{
	const uint64_t saved[] = {sp, pc, USUAL, SEGMENTS};

	memcpy(words[number] + at, saved, sizeof saved);
}

/* Searches from the word AT of the first stack. */
static void search(size_t at)
{
	struct prof_island_range ranges[] = {
		{BASE, BASE + sizeof words[0]}, {OTHER, OTHER + sizeof words[1]}};
	const struct prof_occupied mapped = {{ranges, 2, 2}};

	prof_interrupted_deinit(&found);
	ck_assert_ok(prof_interrupted_find(&found, &memory, &mapped, BASE + at * 8));
}

static bool has(uint64_t pc)
{
	for (size_t i = 0; i < found.items.count; i++) {
		if (found.items.items[i] == pc)
			return true;
	}
	return false;
}

START_TEST(saved_registers_are_found)
{
	memset(words, 0x5a, sizeof words);
	search(0);
	ck_assert_uint_eq(found.items.count, 0);
	/* At the ends, and where one block of what is read ends. */
	const size_t places[] = {0, 4090, 4093, 4094, 4095, 4096, 8190, COUNT - 4};
	for (size_t i = 0; i < PROF_COUNT(places); i++) {
		memset(words, 0x5a, sizeof words);
		save(0, places[i], BASE + 8 * 9999, 0x401000);
		search(0);
		ck_assert_uint_ge(found.items.count, 1);
		ck_assert(has(0x401000));
	}
	prof_interrupted_deinit(&found);
	ck_assert_uint_eq(found.items.count, 0);
}
END_TEST

START_TEST(what_is_below_the_stack_pointer_is_not)
{
	memset(words, 0, sizeof words);
	save(0, 100, BASE + 8 * 200, 1);
	save(0, 200, BASE + 8 * 300, 2);
	search(150);
	ck_assert(!has(1) && has(2));
	search(20);
	ck_assert(has(1) && has(2));
	prof_interrupted_deinit(&found);
}
END_TEST

START_TEST(other_words_are_no_registers)
{
	memset(words, 0, sizeof words);
	save(0, 10, BASE + 8, 1);
	words[0][12] = UINT64_C(0x7f0000000246);
	save(0, 20, BASE + 8, 2);
	words[0][22] = 0;
	save(0, 30, BASE + 8, 3);
	words[0][33] = 0x23;
	search(0);
	ck_assert_uint_eq(found.items.count, 0);
}
END_TEST

START_TEST(handlers_have_stacks_of_their_own)
{
	memset(words, 0, sizeof words);
	save(0, 10, OTHER + 8 * 500, 1);
	save(1, 600, OTHER + 8 * 700, 2);
	save(1, 400, OTHER + 8 * 450, 3);
	search(0);
	ck_assert(has(1) && has(2) && !has(3));
	/* Two that lead to each other. */
	save(1, 800, BASE, 4);
	search(0);
	ck_assert(has(1) && has(2) && has(4));
	/* A stack that is nowhere. */
	save(0, 10, 8, 5);
	search(0);
	ck_assert(has(5) && !has(2));
	prof_interrupted_deinit(&found);
}
END_TEST

START_TEST(memory_may_end_before_its_mapping)
{
	memset(words, 0, sizeof words);
	save(0, 10, BASE + 8, 1);
	save(0, 5000, BASE + 8, 2);
	readable = 4500;
	search(0);
	ck_assert(has(1) && !has(2));
	readable = 0;
	search(0);
	ck_assert_uint_eq(found.items.count, 0);
	readable = COUNT;
	prof_interrupted_deinit(&found);
}
END_TEST

RUN_TESTS("interrupted", saved_registers_are_found, what_is_below_the_stack_pointer_is_not,
	other_words_are_no_registers, handlers_have_stacks_of_their_own,
	memory_may_end_before_its_mapping)
