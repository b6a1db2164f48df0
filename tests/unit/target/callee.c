/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the calls of this very program call. */
#include "suite.h"

#include "target/callee.h"
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

RUN_TESTS("callee", names_what_is_called)
