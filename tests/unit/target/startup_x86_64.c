/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GCC brings along for x86-64, as it stands in programs, libraries and static programs. */
#include "target/startup_x86_64.h"

#include "base/compiler.h"
#include "suite.h"
#include "target/arch.h"

#include <stdint.h>
#include <string.h>

enum { PC = PROF_ARCH_STARTUP_PAST, FRAMED = PROF_ARCH_FRAMED, MOST = 64 };

/* A place in a function, from which on so many words are pushed. */
struct place {
	size_t offset;
	int pushed;
};

struct function {
	const char *code;
	size_t size;
	struct place places[5]; /* by offset; the first one is 0 */
};

/* What stands for addresses and distances is 0x77. */
#define A4 "\x77\x77\x77\x77"
#define FUNCTION(code, ...)             \
	{                               \
		code, sizeof(code) - 1, \
		{                       \
			__VA_ARGS__     \
		}                       \
	}

static const struct function functions[] = {
	/* deregister_tm_clones() */
	FUNCTION("\x48\x8d\x3d" A4 "\x48\x8d\x05" A4 "\x48\x39\xf8\x74\x15\x48\x8b\x05" A4
		 "\x48\x85\xc0\x74\x09\xff\xe0\x0f\x1f\x80\0\0\0\0\xc3",
		{0, 0}),
	FUNCTION("\xb8" A4 "\x48\x3d" A4 "\x74\x13\xb8" A4 "\x48\x85\xc0\x74\x09\xbf" A4
		 "\xff\xe0\x66\x90\xc3",
		{0, 0}),
	/* register_tm_clones() */
	FUNCTION("\x48\x8d\x3d" A4 "\x48\x8d\x35" A4 "\x48\x29\xfe\x48\x89\xf0\x48\xc1\xee\x3f"
		 "\x48\xc1\xf8\x03\x48\x01\xc6\x48\xd1\xfe\x74\x14\x48\x8b\x05" A4
		 "\x48\x85\xc0\x74\x08\xff\xe0\x66\x0f\x1f\x44\0\0\xc3",
		{0, 0}),
	FUNCTION("\xbe" A4 "\x48\x81\xee" A4 "\x48\x89\xf0\x48\xc1\xee\x3f\x48\xc1\xf8\x03\x48"
		 "\x01\xc6\x48\xd1\xfe\x74\x11\xb8" A4 "\x48\x85\xc0\x74\x07\xbf" A4 "\xff\xe0\xc3",
		{0, 0}),
	/* __do_global_dtors_aux(), with endbr64 and without */
	FUNCTION("\xf3\x0f\x1e\xfa\x80\x3d" A4 "\0\x75\x2b\x55\x48\x83\x3d" A4 "\0\x48\x89\xe5"
		 "\x74\x0c\x48\x8b\x3d" A4 "\xe8" A4 "\xe8" A4 "\xc6\x05" A4 "\x01\x5d\xc3",
		{0, 0}, {14, 1}, {23, FRAMED}, {52, 0}),
	FUNCTION("\x80\x3d" A4 "\0\x75\x13\x55\x48\x89\xe5\xe8" A4 "\xc6\x05" A4 "\x01\x5d\xc3",
		{0, 0}, {10, 1}, {11, FRAMED}, {26, 0}),
	FUNCTION("\xf3\x0f\x1e\xfa\x80\x3d" A4 "\0\x75\x2b\x55\x48\x89\xe5\xe8" A4 "\xb8" A4
		 "\x48\x85\xc0\x74\x0a\xbf" A4 "\xe8" A4 "\xc6\x05" A4 "\x01\x5d\xc3",
		{0, 0}, {14, 1}, {15, FRAMED}, {50, 0}),
	/* frame_dummy() */
	FUNCTION("\xf3\x0f\x1e\xfa\xe9", {0, 0}),
	FUNCTION("\xf3\x0f\x1e\xfa\xeb", {0, 0}),
	FUNCTION("\xf3\x0f\x1e\xfa\xb8" A4 "\x48\x85\xc0\x74\x22\x55\xbe" A4 "\xbf" A4
		 "\x48\x89\xe5\xe8" A4 "\x5d\xe9" A4 "\x66\x0f\x1f\x84\0\0\0\0\0\xe9",
		{0, 0}, {15, 1}, {26, FRAMED}, {34, 0}),
	FUNCTION("\xb8" A4 "\x48\x85\xc0\x74\x1e\x55\xbe" A4 "\xbf" A4 "\x48\x89\xe5\xe8" A4
		 "\x5d\xe9" A4 "\x0f\x1f\x44\0\0\xe9",
		{0, 0}, {11, 1}, {22, FRAMED}, {30, 0}),
};

/* frame_dummy() of gcc 10, and all of __do_global_dtors_aux() before it. */
static const struct function jumps[] = {
	FUNCTION("\x80\x3d" A4 "\0\x75\x2f\x55\x48\x83\x3d" A4
		 "\0\x48\x89\xe5\x74\x0c\x48\x8b\x3d" A4 "\xe8" A4 "\xe8" A4 "\xc6\x05" A4
		 "\x01\x5d\xc3\x0f\x1f\x80\0\0\0\0\xc3\x0f\x1f\x80"
		 "\0\0\0\0\xe9",
		{0, 0}),
	FUNCTION("\x80\x3d" A4 "\0\x75\x17\x55\x48\x89\xe5\xe8" A4 "\xc6\x05" A4
		 "\x01\x5d\xc3\x0f\x1f\x44\0\0\xc3\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0\x0f\x1f\x40"
		 "\0\xeb",
		{0, 0}),
};

/* Puts the SIZE bytes of CODE at OFFSET around the program counter. */
static void put(unsigned char *window, const char *code, size_t size, size_t offset)
{
	memset(window, 0xcc, PROF_ARCH_STARTUP);
	memcpy(window + PC - offset, code, size);
}

/* What FUNCTION has pushed at OFFSET. */
static int expected(const struct function *function, size_t offset)
{
	int pushed = 0;

	for (size_t i = 0; i < PROF_COUNT(function->places); i++) {
		const struct place *place = &function->places[i];
		if ((!i || place->offset) && place->offset <= offset)
			pushed = place->pushed;
	}
	return pushed;
}

START_TEST(each_function_is_known_wherever_it_is)
{
	unsigned char window[PROF_ARCH_STARTUP];

	for (size_t i = 0; i < PROF_COUNT(functions); i++) {
		const struct function *function = &functions[i];
		size_t first = memcmp(function->code, "\xf3\x0f\x1e\xfa", 4) != 0 ? 0 : 4;
		ck_assert_uint_le(function->size, MOST);
		for (size_t at = 0; at < function->size; at += at || !first ? 1 : first) {
			put(window, function->code, function->size, at);
			int pushed = prof_startup_count(window);
			ck_assert_msg(pushed == expected(function, at), "row %zu, byte %zu: %d", i,
				at, pushed);
		}
	}
}
END_TEST

START_TEST(what_is_only_like_it_is_not_known)
{
	unsigned char window[PROF_ARCH_STARTUP];

	for (size_t i = 0; i < PROF_COUNT(functions); i++) {
		const struct function *function = &functions[i];
		for (size_t at = 0; at < function->size; at++) {
			if (function->code[at] == 0x77 || function->size < 6 || at < 4)
				continue;
			put(window, function->code, function->size, 4);
			window[PC - 4 + at] ^= 0x80;
			int pushed = prof_startup_count(window);
			/* The places that jumps go to are not looked at. */
			ck_assert_msg(pushed == -1 || function->code[at - 1] == 0x74 ||
					function->code[at - 1] == 0x75,
				"row %zu, byte %zu: %d", i, at, pushed);
		}
	}
}
END_TEST

START_TEST(a_jump_is_known_by_what_is_before_it)
{
	unsigned char window[PROF_ARCH_STARTUP];

	for (size_t i = 0; i < PROF_COUNT(jumps); i++) {
		size_t jump = jumps[i].size - 1;
		put(window, jumps[i].code, jumps[i].size, jump);
		ck_assert_int_eq(prof_startup_count(window), 0);
		for (size_t at = 0; at <= jump; at++) {
			bool looked_at = jumps[i].code[at] != 0x77 &&
				jumps[i].code[at - !!at] != 0x74 &&
				jumps[i].code[at - !!at] != 0x75;
			put(window, jumps[i].code, jumps[i].size, jump);
			window[PC - jump + at] ^= 0x80;
			ck_assert_msg(!looked_at || prof_startup_count(window) == -1,
				"row %zu, byte %zu", i, at);
		}
	}
}
END_TEST

#if defined(__x86_64__)
typedef void (*const entry)(void);

/* Where the code AT goes on: frame_dummy() may be a jump alone, too little to be told by. */
static const unsigned char *follow(const unsigned char *at)
{
	int32_t distance;

	if (*at != 0xe9)
		return at;
	memcpy(&distance, at + 1, sizeof distance);
	return at + 1 + sizeof distance + distance;
}

/* Is one of the functions from BEGIN to END known, as it begins? */
static bool has_known(entry *begin, entry *end)
{
	unsigned char window[PROF_ARCH_STARTUP];
	bool known = false;

	for (entry *at = begin; at < end; at++) {
		const unsigned char *code = follow((const unsigned char *)(uintptr_t)*at);
		memcpy(window, code - PC, sizeof window);
		known |= prof_startup_count(window) == 0;
	}
	return known;
}
#endif

START_TEST(those_of_this_program_are_known)
{
#if defined(__x86_64__)
	/* The linker makes these. */
	extern entry __init_array_start[], __init_array_end[];
	extern entry __fini_array_start[], __fini_array_end[];

	ck_assert(has_known(__init_array_start, __init_array_end));
	ck_assert(has_known(__fini_array_start, __fini_array_end));
#endif
}
END_TEST

RUN_TESTS("startup x86 64", each_function_is_known_wherever_it_is,
	a_jump_is_known_by_what_is_before_it, what_is_only_like_it_is_not_known,
	those_of_this_program_are_known)
