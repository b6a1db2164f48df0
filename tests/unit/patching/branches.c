/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/branches.h"

#include "decoder.h"

#include <string.h>

enum { CODE = 0x1000, TABLE = 0x2000 };

/* Distances of a table of a switch, and the targets that were found. */
struct found {
	int32_t table[2];
	uint64_t targets[8];
	size_t count;
};

static bool read_table(void *context, uint64_t address, void *buffer, size_t length)
{
	const struct found *found = context;

	if (address < TABLE || address - TABLE > sizeof found->table ||
		length > sizeof found->table - (address - TABLE))
		return false;
	memcpy(buffer, (const char *)found->table + (address - TABLE), length);
	return true;
}

static void note(void *context, uint64_t target)
{
	struct found *found = context;

	ck_assert_uint_lt(found->count, PROF_COUNT(found->targets));
	found->targets[found->count++] = target;
}

/* Finds the branches of the function BYTES. */
static bool find(struct found *found, const char *bytes, size_t length)
{
	const struct prof_entry_code code = {read_table, found};
	const struct prof_entry function = {.low = CODE, .high = CODE + length};

	return prof_branches_find(&code, &function, (const unsigned char *)bytes, note, found);
}

#define FIND(found, bytes) find(found, bytes, sizeof(bytes) - 1)

START_TEST(jumps_are_branches_and_calls_are_not)
{
	struct found found = {0};

	/* je CODE + 0x12; call CODE + 0x107; jmp CODE + 0x20; jrcxz CODE + 0xd; ret */
	ck_assert(FIND(&found, "\x74\x10\xe8\0\x01\0\0\xeb\x17\xe3\x02\xc3"));
	ck_assert_uint_eq(found.count, 3);
	ck_assert_uint_eq(found.targets[0], CODE + 0x12);
	ck_assert_uint_eq(found.targets[1], CODE + 0x20);
	ck_assert_uint_eq(found.targets[2], CODE + 0xd);
}
END_TEST

START_TEST(table_is_read_where_a_jump_is_indirect)
{
	struct found found = {.table = {CODE + 4 - TABLE, CODE + 9 - TABLE}};

	/* lea TABLE(%rip),%rdx; notrack jmp *%rdx */
	ck_assert(FIND(&found, "\x48\x8d\x15\xf9\x0f\0\0\x3e\xff\xe2"));
	ck_assert_uint_eq(found.count, 2);
	ck_assert_uint_eq(found.targets[0], CODE + 4);
	ck_assert_uint_eq(found.targets[1], CODE + 9);
	/* lea; ret: there may be anything */
	found.count = 0;
	ck_assert(FIND(&found, "\x48\x8d\x15\xf9\x0f\0\0\xc3\x90\x90"));
	ck_assert_uint_eq(found.count, 0);
	/* A jump through a word at a fixed address leads to another load object. */
	ck_assert(FIND(&found, "\x48\x8d\x15\xf9\x0f\0\0\xff\x25\0\0\0\0"));
	ck_assert_uint_eq(found.count, 0);
}
END_TEST

START_TEST(code_that_is_no_instruction_is_noticed)
{
	struct found found = {0};

	ck_assert(!FIND(&found, "\x90\x06"));
	ck_assert(!FIND(&found, "\x90\xe8\0"));
}
END_TEST

START_TEST(padding_does_nothing)
{
	/* nop; a nop of 3 bytes; int3; endbr64, where a function begins */
	static const unsigned char bytes[] = "\x90\x0f\x1f\0\xcc\xf3\x0f\x1e\xfa";

	ck_assert_uint_eq(prof_branches_padding(bytes, sizeof bytes - 1), 5);
	ck_assert_uint_eq(prof_branches_padding(bytes, 3), 1);
	ck_assert_uint_eq(prof_branches_padding(bytes, 0), 0);
}
END_TEST

RUN_DECODER_TESTS("branches", jumps_are_branches_and_calls_are_not,
	table_is_read_where_a_jump_is_indirect, code_that_is_no_instruction_is_noticed,
	padding_does_nothing)
