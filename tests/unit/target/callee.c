/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the calls of this very program call. */
#include "suite.h"

#include "target/arch.h"
#include "target/callee.h"
#include "target/elf.h"
#include "target/maps.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static int own(int number)
{
	__asm__ volatile("" : "+r"(number));
	return number * 3 + 1;
}

/* Calls a function of the C library, and one of the program. */
__attribute__((noinline)) static int caller(void)
{
	int number = getppid();

	__asm__ volatile("" : "+r"(number));
	number = own(number);
	__asm__ volatile("" : "+r"(number));
	return number;
}

/* Does some address in caller() lie behind a call of the function NAME? */
static bool calls(struct prof_elf *elf, const char *name)
{
	uint64_t address = (uint64_t)(uintptr_t)caller, low, high;
	bool found = false;

	ck_assert(prof_elf_bounds(elf, address, &low, &high));
	for (uint64_t at = low + 1; at < high; at++) {
		const char *callee = prof_callee_name(elf, prof_arch_native(), at);
		found |= callee && !strcmp(callee, name);
	}
	return found;
}

static const char passed[] = "passed";

__attribute__((noinline)) static int taker(const char *text)
{
	__asm__ volatile("" : "+r"(text));
	return *text;
}

__attribute__((noinline)) static int giver(void)
{
	const char *text = passed;

	/* In the first argument's register, wherever the compiler wants to have it else. */
	__asm__ volatile("" : "+D"(text));
	int number = taker(text);
	__asm__ volatile("" : "+r"(number));
	return number + 1;
}

/* The argument of the call of a function is found, and only there. */
START_TEST(finds_what_is_passed)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	uint64_t low, high, argument = 0;
	struct prof_elf *elf;

	ck_assert_int_eq(giver(), 'p' + 1);
	ck_assert_ok(prof_maps_read(&maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&maps, (uint64_t)(uintptr_t)giver);
	ck_assert_ptr_nonnull(mapping);
	ck_assert_ok(prof_elf_open(getpid(), NULL, prof_arch_native(), mapping, &elf));
	ck_assert(prof_elf_bounds(elf, (uint64_t)(uintptr_t)giver, &low, &high));
	for (uint64_t at = low + 1; at < high; at++) {
		const char *callee = prof_callee_name(elf, prof_arch_native(), at);
		if (callee && !strcmp(callee, "taker"))
			ck_assert(prof_callee_argument(elf, prof_arch_native(), at, &argument));
	}
	ck_assert_uint_eq(argument, (uint64_t)(uintptr_t)passed);
	ck_assert(!prof_callee_argument(elf, prof_arch_native(), 0, &argument));
	prof_elf_close(elf);
}
END_TEST

START_TEST(names_what_is_called)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	struct prof_elf *elf;

	ck_assert_int_ne(caller(), 0);
	ck_assert_ok(prof_maps_read(&maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&maps, (uint64_t)(uintptr_t)caller);
	ck_assert_ptr_nonnull(mapping);
	ck_assert_ok(prof_elf_open(getpid(), NULL, prof_arch_native(), mapping, &elf));
	ck_assert(calls(elf, "own"));
	ck_assert(calls(elf, "getppid"));
	ck_assert(!calls(elf, "getpid"));
	ck_assert_ptr_null(prof_callee_name(elf, prof_arch_native(), 0));
	ck_assert_ptr_null(prof_elf_slot(elf, mapping->low));
	prof_elf_close(elf);
}
END_TEST

RUN_TESTS("callee", names_what_is_called, finds_what_is_passed)
