/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/entries.h"

#include "decoder.h"

#include <string.h>

/* The code and the data of a load object, both at their addresses. */
enum { CODE = 0x1000, DATA = 0x2000, SIZE = 256, MOST = 4 };

struct object {
	unsigned char code[SIZE], data[SIZE];
	struct prof_entry_function functions[MOST];
	size_t count;
	uint64_t word; /* an address in its data; 0: none */
};

static bool read_object(void *context, uint64_t address, void *buffer, size_t length)
{
	const struct object *object = context;
	bool data = address >= DATA;
	uint64_t at = address - (data ? DATA : CODE);

	if (at > SIZE || length > SIZE - at)
		return false;
	memcpy(buffer, (data ? object->data : object->code) + at, length);
	return true;
}

/* Adds a function of SIZE bytes of CODE at OFFSET; what is not a function's is 0, an instruction.
 */
static void add(struct object *object, unsigned offset, const char *code, size_t size)
{
	memcpy(object->code + offset, code, size);
	object->functions[object->count++] =
		(struct prof_entry_function){CODE + offset, CODE + offset + size, false};
}

#define ADD(object, offset, code) add(object, offset, code, sizeof(code) - 1)

/* The first function of OBJECT. */
static struct prof_entry first_of(struct object *object)
{
	const struct prof_entry_code code = {read_object, object};
	PROF_AUTO(prof_entries_deinit) struct prof_entries table = {0};

	ck_assert_ok(prof_entries_find(
		&table, &code, object->functions, object->count, &object->word, object->word != 0));
	ck_assert_uint_eq(table.items.count, object->count);
	ck_assert_ptr_eq(prof_entries_at(&table, CODE), &table.items.items[0]);
	ck_assert_ptr_null(prof_entries_at(&table, CODE - 1));
	return table.items.items[0];
}

static void check_jump(struct object *object, unsigned taken)
{
	const struct prof_entry entry = first_of(object);

	ck_assert_uint_eq(entry.patch, PROF_PATCH_JUMP);
	ck_assert_uint_eq(entry.obstacle, PROF_OBSTACLE_NONE);
	ck_assert_uint_eq(entry.taken, taken);
}

static void check_none(struct object *object, enum prof_obstacle obstacle)
{
	const struct prof_entry entry = first_of(object);

	ck_assert_uint_eq(entry.patch, PROF_PATCH_NONE);
	ck_assert_str_eq(prof_obstacle_reasons[entry.obstacle], prof_obstacle_reasons[obstacle]);
}

/* push %rbp; mov %rsp,%rbp; push %r15; ret */
#define USUAL "\x55\x48\x89\xe5\x41\x57\xc3"

START_TEST(jump_takes_whole_instructions)
{
	struct object object = {0};

	ADD(&object, 0, USUAL);
	check_jump(&object, 6);
}
END_TEST

START_TEST(branch_into_them_is_an_obstacle)
{
	struct object object = {0};

	/* push %rbp; mov %rsp,%rbp; nop; jmp to the second instruction */
	ADD(&object, 0, "\x55\x48\x89\xe5\x90\xeb\xfa");
	check_none(&object, PROF_OBSTACLE_TARGET);
	/* From another function, too. */
	object = (struct object){0};
	ADD(&object, 0, USUAL);
	ADD(&object, 16, "\xeb\xf3");
	check_none(&object, PROF_OBSTACLE_TARGET);
	/* Behind them it is none. */
	object.code[17] = 0xf4;
	check_jump(&object, 6);
}
END_TEST

START_TEST(loop_that_begins_at_the_entry_is_one)
{
	struct object object = {0};

	/* dec %edi; jne to the beginning; ret */
	ADD(&object, 0, "\xff\xcf\x75\xfc\x90\x90\xc3");
	check_none(&object, PROF_OBSTACLE_LOOP);
	/* Another function that ends by a jump there calls it. */
	object = (struct object){0};
	ADD(&object, 0, USUAL);
	ADD(&object, 16, "\xeb\xee");
	check_jump(&object, 6);
}
END_TEST

START_TEST(short_function_needs_padding)
{
	struct object object = {0};

	/* xor %eax,%eax; ret; then nothing that is known */
	ADD(&object, 0, "\x31\xc0\xc3");
	check_none(&object, PROF_OBSTACLE_SHORT);
	/* What is behind it is padding up to the next function. */
	memset(object.code + 3, 0x90, 13);
	ADD(&object, 16, USUAL);
	check_jump(&object, 5);
	/* Or another instruction. */
	object.code[15] = 0x50;
	check_none(&object, PROF_OBSTACLE_SHORT);
}
END_TEST

START_TEST(hop_leads_to_padding_nearby)
{
	struct object object = {0};

	/* xor %eax,%eax; ret: the next function begins at once, and has padding behind it */
	ADD(&object, 0, "\x31\xc0\xc3");
	ADD(&object, 3, USUAL);
	memset(object.code + 10, 0xcc, 6);
	ADD(&object, 16, USUAL);
	const struct prof_entry entry = first_of(&object);
	ck_assert_uint_eq(entry.patch, PROF_PATCH_HOP);
	ck_assert_uint_eq(entry.taken, 2);
	ck_assert_uint_eq(entry.hop, CODE + 10);
	/* 4 bytes of it are too few. */
	object.code[10] = object.code[11] = 0x50;
	check_none(&object, PROF_OBSTACLE_SHORT);
}
END_TEST

START_TEST(padding_is_used_once)
{
	struct object object = {0};

	/* Two functions of 3 bytes each, and 6 bytes of padding. */
	ADD(&object, 0, "\x31\xc0\xc3");
	ADD(&object, 3, "\x31\xc0\xc3");
	memset(object.code + 6, 0x90, 6);
	ADD(&object, 12, USUAL);
	/* The second one takes two bytes of its padding. */
	check_none(&object, PROF_OBSTACLE_SHORT);
	memset(object.code + 12, 0x90, 4);
	object.count = 2;
	ADD(&object, 16, USUAL);
	const struct prof_entry entry = first_of(&object);
	ck_assert_uint_eq(entry.patch, PROF_PATCH_HOP);
	ck_assert_uint_eq(entry.hop, CODE + 8);
}
END_TEST

START_TEST(tables_of_switches_are_read)
{
	struct object object = {0};
	int32_t distances[2] = {CODE + 8 - DATA, CODE + 1 - DATA};

	/* push; mov %rsp,%rbp; lea DATA(%rip),%rdx; nop; jmp *%rdx */
	ADD(&object, 0, "\x55\x48\x89\xe5\x48\x8d\x15\xf5\x0f\0\0\x90\xff\xe2");
	memcpy(object.data, distances, sizeof distances);
	check_none(&object, PROF_OBSTACLE_TARGET);
	/* An entry that is not in the function ends the table. */
	memset(object.data, 0, sizeof *distances);
	check_jump(&object, 11);
	/* A table of addresses: jmp *DATA(,%rax,8) */
	object = (struct object){0};
	ADD(&object, 0, "\x55\x48\x89\xe5\x90\xff\x24\xc5\0\x20\0\0");
	memcpy(object.data, &(uint64_t){CODE + 4}, 8);
	check_none(&object, PROF_OBSTACLE_TARGET);
	memcpy(object.data, &(uint64_t){CODE + 5}, 8);
	check_jump(&object, 5);
}
END_TEST

START_TEST(address_in_the_data_is_an_obstacle)
{
	struct object object = {.word = CODE + 4};

	ADD(&object, 0, USUAL);
	check_none(&object, PROF_OBSTACLE_TARGET);
	/* That of the function itself is not. */
	object.word = CODE;
	check_jump(&object, 6);
}
END_TEST

START_TEST(parts_and_unknown_code_are_left_alone)
{
	struct object object = {0};

	ADD(&object, 0, USUAL);
	object.functions[0].part = true;
	check_none(&object, PROF_OBSTACLE_PART);
	/* A byte at its end that is no instruction. */
	object = (struct object){0};
	ADD(&object, 0, USUAL "\x06");
	check_none(&object, PROF_OBSTACLE_UNKNOWN);
}
END_TEST

RUN_DECODER_TESTS("entries", jump_takes_whole_instructions, branch_into_them_is_an_obstacle,
	loop_that_begins_at_the_entry_is_one, short_function_needs_padding,
	hop_leads_to_padding_nearby, padding_is_used_once, tables_of_switches_are_read,
	address_in_the_data_is_an_obstacle, parts_and_unknown_code_are_left_alone)
