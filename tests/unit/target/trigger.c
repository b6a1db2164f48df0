/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/trigger.h"

#include "decoder.h"

#include <stdio.h>

/* Code at its addresses: a function, and another one that it may jump to. */
struct piece {
	uint64_t low;
	const char *bytes;
	size_t size;
};

struct program {
	struct piece pieces[2];
};

static const struct piece *piece_at(const struct program *program, uint64_t address)
{
	for (size_t i = 0; i < PROF_COUNT(program->pieces); i++) {
		const struct piece *piece = &program->pieces[i];
		if (address - piece->low < piece->size)
			return piece;
	}
	return NULL;
}

static bool find_bounds(void *context, uint64_t address, uint64_t *low, uint64_t *high)
{
	const struct piece *piece = piece_at(context, address);

	if (!piece)
		return false;
	*low = piece->low;
	*high = piece->low + piece->size;
	return true;
}

static bool read_code(void *context, uint64_t address, void *buffer, size_t length)
{
	const struct piece *piece = piece_at(context, address);

	if (!piece || length > piece->size - (address - piece->low))
		return false;
	memcpy(buffer, piece->bytes + (address - piece->low), length);
	return true;
}

enum { PLACE = 0x1000, OTHER = 0x2000 };

static struct prof_trigger_result search_from(
	struct program *program, unsigned pc, enum prof_access access, unsigned reach)
{
	const struct prof_trigger_code code = {find_bounds, read_code, program};
	struct prof_trigger_result result;

	ck_assert_ok(prof_trigger_search(&code, PLACE + pc, access, reach, &result));
	return result;
}

#define PIECE(place, bytes)                     \
	{                                       \
		place, bytes, sizeof(bytes) - 1 \
	}
#define SEARCH(bytes, pc, access) \
	search_from(&(struct program){{PIECE(PLACE, bytes)}}, pc, access, PROF_TRIGGER_REACH)

/* Fails unless RESULT is the instruction at OFFSET of the function, SKID instructions before. */
static void assert_found(struct prof_trigger_result result, unsigned offset, unsigned skid)
{
	ck_assert_str_eq(prof_trigger_names[result.trigger], "found");
	ck_assert_uint_eq(result.pc, PLACE + offset);
	ck_assert_uint_eq(result.skid, skid);
}

static void assert_unknown(struct prof_trigger_result result, enum prof_trigger trigger)
{
	ck_assert_str_eq(prof_trigger_names[result.trigger], prof_trigger_names[trigger]);
}

/*
 *	 0 mov (%rbx),%rax	48 8b 03
 *	 3 mov %rax,(%rcx)	48 89 01
 *	 6 add $1,%rax		48 83 c0 01
 *	10 lea (%rbx),%rdx	48 8d 13
 *	13 nop			90
 *	14 ret			c3
 */
#define STRAIGHT "\x48\x8b\x03\x48\x89\x01\x48\x83\xc0\x01\x48\x8d\x13\x90\xc3"

START_TEST(the_nearest_access_of_the_kind_is_found)
{
	assert_found(SEARCH(STRAIGHT, 3, PROF_ACCESS_LOAD), 0, 1);
	assert_found(SEARCH(STRAIGHT, 6, PROF_ACCESS_LOAD), 0, 2);
	assert_found(SEARCH(STRAIGHT, 14, PROF_ACCESS_LOAD), 0, 5);
	assert_found(SEARCH(STRAIGHT, 14, PROF_ACCESS_STORE), 3, 4);
	assert_found(SEARCH(STRAIGHT, 14, PROF_ACCESS_LOAD_STORE), 3, 4);
}
END_TEST

START_TEST(what_has_changed_since_is_told)
{
	struct prof_trigger_result load = SEARCH(STRAIGHT, 14, PROF_ACCESS_LOAD);
	struct prof_trigger_result store = SEARCH(STRAIGHT, 6, PROF_ACCESS_STORE);

	ck_assert_uint_eq(load.changed, 1 << 0 | 1 << 1); /* rax and rdx */
	ck_assert_uint_eq(load.instruction.operands[0].base, 3);
	ck_assert_uint_eq(store.changed, 0);
}
END_TEST

START_TEST(the_search_ends_somewhere)
{
	struct program program = {{PIECE(PLACE, STRAIGHT)}};

	/* Where the function begins, and after so many instructions. */
	assert_unknown(SEARCH(STRAIGHT, 0, PROF_ACCESS_LOAD), PROF_TRIGGER_UNRESOLVABLE);
	assert_unknown(SEARCH(STRAIGHT, 3, PROF_ACCESS_STORE), PROF_TRIGGER_UNRESOLVABLE);
	assert_unknown(search_from(&program, 14, PROF_ACCESS_STORE, 3), PROF_TRIGGER_UNRESOLVABLE);
	assert_found(search_from(&program, 14, PROF_ACCESS_STORE, 4), 3, 4);
	assert_unknown(search_from(&program, 10, PROF_ACCESS_STORE, 1), PROF_TRIGGER_UNRESOLVABLE);
	assert_found(search_from(&program, 6, PROF_ACCESS_STORE, 1), 3, 1);
}
END_TEST

/*
 *	 0 mov (%rbx),%rax	48 8b 03
 *	 3 add $1,%rcx		48 83 c1 01
 *	 7 mov 8(%rbx),%rdx	48 8b 53 08
 *	11 add $1,%rdx		48 83 c2 01
 *	15 jne 3		75 f2
 *	17 nop			90
 *	18 ret			c3
 */
#define LOOP "\x48\x8b\x03\x48\x83\xc1\x01\x48\x8b\x53\x08\x48\x83\xc2\x01\x75\xf2\x90\xc3"

START_TEST(nothing_is_found_across_a_branch_target)
{
	/* The first load may be far behind, or be executed just now. */
	assert_unknown(SEARCH(LOOP, 3, PROF_ACCESS_LOAD), PROF_TRIGGER_UNRESOLVABLE);
	assert_unknown(SEARCH(LOOP, 7, PROF_ACCESS_LOAD), PROF_TRIGGER_UNRESOLVABLE);
	assert_found(SEARCH(LOOP, 11, PROF_ACCESS_LOAD), 7, 1);
	/* A branch that was not taken has no say in it. */
	assert_found(SEARCH(LOOP, 17, PROF_ACCESS_LOAD), 7, 3);
	assert_found(SEARCH(LOOP, 18, PROF_ACCESS_LOAD), 7, 4);
}
END_TEST

/*
 *	 0 mov (%rbx),%rax	48 8b 03
 *	 3 jmp 5		eb 00
 *	 5 nop			90
 *	 6 call 0x2000		e8 f5 0f 00 00
 *	11 nop			90
 *	12 mov (%rcx),%rax	48 8b 01
 *	15 syscall		0f 05
 *	17 ret			c3
 */
#define AWAY "\x48\x8b\x03\xeb\x00\x90\xe8\xf5\x0f\x00\x00\x90\x48\x8b\x01\x0f\x05\xc3"

START_TEST(nothing_is_found_across_what_leaves)
{
	assert_found(SEARCH(AWAY, 3, PROF_ACCESS_LOAD), 0, 1);
	assert_unknown(SEARCH(AWAY, 6, PROF_ACCESS_LOAD), PROF_TRIGGER_UNRESOLVABLE);
	assert_unknown(SEARCH(AWAY, 12, PROF_ACCESS_LOAD), PROF_TRIGGER_UNRESOLVABLE);
	assert_found(SEARCH(AWAY, 15, PROF_ACCESS_LOAD), 12, 1);
	assert_unknown(SEARCH(AWAY, 17, PROF_ACCESS_LOAD), PROF_TRIGGER_UNRESOLVABLE);
	/* What a call stores is not looked for across it either. */
	assert_unknown(SEARCH(AWAY, 11, PROF_ACCESS_STORE), PROF_TRIGGER_UNRESOLVABLE);
}
END_TEST

/*
 *	 0 mov (%rsi),%rax	48 8b 06
 *	 3 rep movsb		f3 a4
 *	 5 nop			90
 */
START_TEST(a_copy_that_goes_on_may_have_been_before)
{
#define COPY "\x48\x8b\x06\xf3\xa4\x90"
	assert_unknown(SEARCH(COPY, 3, PROF_ACCESS_LOAD), PROF_TRIGGER_UNRESOLVABLE);
	assert_found(SEARCH(COPY, 5, PROF_ACCESS_LOAD), 3, 1);
	assert_found(SEARCH(COPY, 5, PROF_ACCESS_STORE), 3, 1);
}
END_TEST

/*
 *	 0 mov (%rbx),%rax	48 8b 03
 *	 3 jne 0x2000		0f 85 f7 0f 00 00
 *	 9 nop			90
 *	10 nop			90
 *	11 ret			c3
 */
#define PARTED "\x48\x8b\x03\x0f\x85\xf7\x0f\x00\x00\x90\x90\xc3"

/* What is seldom executed stands elsewhere, and jumps back. */
START_TEST(other_parts_of_the_function_count)
{
	/* jmp 0x100a: e9 05 f0 ff ff; ret */
	struct program back = {{PIECE(PLACE, PARTED), PIECE(OTHER, "\xe9\x05\xf0\xff\xff")}};
	struct program away = {{PIECE(PLACE, PARTED), PIECE(OTHER, "\x90\xc3")}};
	struct program nowhere = {{PIECE(PLACE, PARTED)}};
	/* jmp *%rax besides, or nothing that can be decoded. */
	struct program wild = {
		{PIECE(PLACE, PARTED), PIECE(OTHER, "\xe9\x05\xf0\xff\xff\xff\xe0")}};
	struct program odd = {{PIECE(PLACE, PARTED), PIECE(OTHER, "\x06\x06")}};
	struct program tail = {{PIECE(PLACE, PARTED), PIECE(OTHER, "\xff\xe0")}};

	assert_found(search_from(&back, 9, PROF_ACCESS_LOAD, 16), 0, 2);
	assert_unknown(search_from(&back, 10, PROF_ACCESS_LOAD, 16), PROF_TRIGGER_UNRESOLVABLE);
	assert_found(search_from(&away, 11, PROF_ACCESS_LOAD, 16), 0, 4);
	assert_found(search_from(&tail, 11, PROF_ACCESS_LOAD, 16), 0, 4);
	assert_unknown(search_from(&nowhere, 9, PROF_ACCESS_LOAD, 16), PROF_TRIGGER_UNVERIFIABLE);
	assert_unknown(search_from(&wild, 9, PROF_ACCESS_LOAD, 16), PROF_TRIGGER_UNVERIFIABLE);
	assert_unknown(search_from(&odd, 9, PROF_ACCESS_LOAD, 16), PROF_TRIGGER_UNVERIFIABLE);
}
END_TEST

START_TEST(nothing_is_found_in_what_is_not_known)
{
	struct program program = {{PIECE(PLACE, STRAIGHT)}};
	struct prof_trigger_result result;
	const struct prof_trigger_code code = {find_bounds, read_code, &program};

	/* A table of jumps: mov (%rbx),%rcx; jmp *%rax; nop.  Data in the middle.  Within an
	   instruction.  In no function. */
	assert_unknown(
		SEARCH("\x48\x8b\x0b\xff\xe0\x90", 3, PROF_ACCESS_LOAD), PROF_TRIGGER_UNVERIFIABLE);
	assert_unknown(
		SEARCH("\x48\x8b\x0b\x90\x06\x06", 3, PROF_ACCESS_LOAD), PROF_TRIGGER_UNVERIFIABLE);
	assert_unknown(SEARCH(STRAIGHT, 4, PROF_ACCESS_LOAD), PROF_TRIGGER_UNVERIFIABLE);
	ck_assert_ok(prof_trigger_search(&code, OTHER, PROF_ACCESS_LOAD, 16, &result));
	assert_unknown(result, PROF_TRIGGER_UNVERIFIABLE);
}
END_TEST

/* The bounds that a damaged file tells may be any. */
static bool report_nonsense(void *context, uint64_t address, uint64_t *low, uint64_t *high)
{
	*low = *(uint64_t *)context ? 0 : address + 1;
	*high = *(uint64_t *)context ? UINT64_MAX : address;
	return true;
}

static bool read_nothing(void *context, uint64_t address, void *buffer, size_t length)
{
	(void)context;
	(void)address;
	(void)buffer;
	(void)length;
	return false;
}

START_TEST(bounds_are_not_trusted)
{
	struct prof_trigger_result result;

	for (uint64_t all = 0; all <= 1; all++) {
		const struct prof_trigger_code code = {report_nonsense, read_nothing, &all};
		ck_assert_ok(prof_trigger_search(&code, PLACE, PROF_ACCESS_LOAD, 16, &result));
		assert_unknown(result, PROF_TRIGGER_UNVERIFIABLE);
	}
}
END_TEST

RUN_DECODER_TESTS("trigger", the_nearest_access_of_the_kind_is_found,
	what_has_changed_since_is_told, the_search_ends_somewhere,
	nothing_is_found_across_a_branch_target, nothing_is_found_across_what_leaves,
	a_copy_that_goes_on_may_have_been_before, other_parts_of_the_function_count,
	nothing_is_found_in_what_is_not_known, bounds_are_not_trusted)
