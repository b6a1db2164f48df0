/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code of this very program, read as that of a process that is there, and of one that has ended. */
#include "target/code.h"

#include "suite.h"
#include "target/elf.h"

#include "target/maps.h"

#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static int wanted(int number)
{
	return number * 3 + 1;
}

/* Volatile, because gcc refuses to work out what is at a distance from a function. */
static const volatile uintptr_t place = (uintptr_t)wanted;

static size_t read_own(void *context, uint64_t address, void *buffer, size_t length)
{
	(void)context;
	memcpy(buffer, (const void *)(uintptr_t)address, length);
	return length;
}

static size_t read_nothing(void *context, uint64_t address, void *buffer, size_t length)
{
	(void)context;
	(void)address;
	(void)buffer;
	(void)length;
	return 0;
}

static const struct prof_target there = {read_own, NULL}, ended = {read_nothing, NULL};

/* The file that has wanted(). */
static struct prof_elf *open_own(void)
{
	struct prof_maps maps = {0};
	struct prof_elf *elf;

	ck_assert_ok(prof_maps_read(&maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&maps, place);
	ck_assert_ptr_nonnull(mapping);
	ck_assert_ok(prof_elf_open(getpid(), NULL, prof_arch_native(), mapping, &elf));
	prof_maps_deinit(&maps);
	return elf;
}

START_TEST(code_of_a_process_that_has_ended_is_in_its_file)
{
	const uint64_t address = place;
	const unsigned char *own = (const unsigned char *)(uintptr_t)address;
	unsigned char code[PROF_ARCH_CODE], startup[PROF_ARCH_STARTUP];
	struct prof_elf *elf = open_own();

	ck_assert_int_eq(wanted(1), 4);
	ck_assert(prof_code_read(&there, NULL, address, code));
	ck_assert_mem_eq(code, own - PROF_ARCH_CODE_PAST, sizeof code);
	ck_assert(!prof_code_read(&ended, NULL, address, code));
	memset(code, 0, sizeof code);
	ck_assert(prof_code_read(&ended, elf, address, code));
	ck_assert_mem_eq(code, own - PROF_ARCH_CODE_PAST, sizeof code);
	prof_code_read_startup(&ended, elf, address, startup);
	ck_assert_mem_eq(startup, own - PROF_ARCH_STARTUP_PAST, sizeof startup);
	prof_elf_close(elf);
}
END_TEST

START_TEST(startup_code_that_cannot_be_read_is_zeroes)
{
	static const unsigned char zeroes[PROF_ARCH_STARTUP];
	unsigned char startup[PROF_ARCH_STARTUP];

	memset(startup, 1, sizeof startup);
	prof_code_read_startup(&ended, NULL, place, startup);
	ck_assert_mem_eq(startup, zeroes, sizeof startup);
}
END_TEST

RUN_TESTS("code", code_of_a_process_that_has_ended_is_in_its_file,
	startup_code_that_cannot_be_read_is_zeroes)
