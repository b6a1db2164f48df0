/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/linetable.h"
#include "suite.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/* This program's build id, in hex. */
static char build_id[64];

static void read_build_id(void)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	const void *bytes;

	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	ssize_t length = dwelf_elf_gnu_build_id(elf, &bytes);
	ck_assert_int_gt(length, 0);
	for (ssize_t i = 0; i < length; i++)
		sprintf(build_id + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
	elf_end(elf);
	close(fd);
}

/* ADDRESS of this program as its file has it. */
static uint64_t own(uint64_t address)
{
	const Elf64_Phdr *headers = (const Elf64_Phdr *)getauxval(AT_PHDR);

	for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++) {
		if (headers[i].p_type == PT_PHDR)
			return address - ((uint64_t)headers - headers[i].p_vaddr);
	}
	ck_abort_msg("no program headers");
}

enum { STATEMENT = 2001, INSTRUCTION = 2002 };

/* Returns where its instruction is that has two rows; the second is not marked as a statement. */
__attribute__((noinline, noclone)) static uint64_t find_rows(void)
{
	uint64_t address;

	__asm__ volatile(".loc 1 %c1 0 is_stmt 1\n\t"
			 ".loc 1 %c2 0 is_stmt 0\n\t"
			 "1: lea 1b(%%rip), %0\n\t"
			 ".loc 1 %c1 0 is_stmt 1"
			 : "=r"(address)
			 : "i"(STATEMENT), "i"(INSTRUCTION));
	return address;
}

START_TEST(of_several_rows_the_last_has_the_instruction)
{
	struct prof_linetable_place place;
	struct prof_linetable *table;

	read_build_id();
	ck_assert_ok(prof_linetable_open("/proc/self/exe", build_id, &table));
	ck_assert(prof_linetable_find(table, own(find_rows()), &place));
	ck_assert_uint_eq(place.line, INSTRUCTION);
	ck_assert_str_eq(strrchr(place.file, '/'), "/linetable.c");
	ck_assert_ptr_nonnull(place.directory);
	prof_linetable_close(table);
}
END_TEST

START_TEST(addresses_without_code_have_no_line)
{
	struct prof_linetable_place place;
	struct prof_linetable *table;

	read_build_id();
	ck_assert_ok(prof_linetable_open("/proc/self/exe", build_id, &table));
	ck_assert(!prof_linetable_find(table, 0, &place));
	ck_assert(!prof_linetable_find(table, own((uint64_t)build_id), &place));
	ck_assert(!prof_linetable_find(table, UINT64_MAX, &place));
	struct stat status;
	ck_assert_int_eq(stat("/proc/self/exe", &status), 0);
	ck_assert_uint_eq(prof_linetable_size(table), (uint64_t)status.st_size);
	prof_linetable_close(table);
	prof_linetable_close(NULL);
}
END_TEST

START_TEST(other_files_are_refused)
{
	struct prof_linetable *table;

	ck_assert_error(
		prof_linetable_open("/proc/self/exe", "00ff", &table), "is not of the build");
	ck_assert_error(
		prof_linetable_open("/proc/self/status", "", &table), "is not of the build");
	ck_assert_error(prof_linetable_open("/no/such/file", "00ff", &table), "/no/such/file");
}
END_TEST

RUN_TESTS("linetable", of_several_rows_the_last_has_the_instruction,
	addresses_without_code_have_no_line, other_files_are_refused)
