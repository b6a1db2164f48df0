/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files of this very program, opened as those of a process that is gone. */
#include "suite.h"

#include "target/arch.h"
#include "target/elf.h"
#include "target/maps.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int wanted(int number)
{
	return number * 3 + 1;
}

static struct prof_maps maps;

/* What maps the function wanted(). */
static struct prof_mapping *own_mapping(void)
{
	ck_assert_ok(prof_maps_read(&maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&maps, (uint64_t)(uintptr_t)wanted);
	ck_assert_ptr_nonnull(mapping);
	return (struct prof_mapping *)mapping;
}

/* The build id of what MAPPING maps, of this process. */
static void read_build_id(const struct prof_mapping *mapping, char *text, size_t size)
{
	struct prof_elf *elf;

	ck_assert_ok(prof_elf_open(getpid(), NULL, prof_arch_native(), mapping, &elf));
	snprintf(text, size, "%s", prof_elf_build_id(elf));
	prof_elf_close(elf);
	ck_assert_uint_gt(strlen(text), 8);
}

START_TEST(names_functions_by_the_symbol_table)
{
	struct prof_mapping *mapping = own_mapping();
	uint64_t address = (uint64_t)(uintptr_t)wanted;
	struct prof_elf *elf;
	uint64_t low, high;
	char id[130];

	read_build_id(mapping, id, sizeof id);
	ck_assert_int_eq(wanted(1), 4);
	ck_assert_ok(prof_elf_open_file(prof_arch_native(), mapping, id, &elf));
	ck_assert_str_eq(prof_elf_symbol(elf, address + 1, &low), "wanted");
	ck_assert_uint_eq(low, address);
	ck_assert(prof_elf_bounds(elf, address, &low, &high));
	ck_assert_uint_eq(low, address);
	ck_assert_str_eq(prof_elf_symbol(elf, high - 1, &low), "wanted");
	ck_assert_ptr_null(prof_elf_symbol(elf, mapping->low - 1, &low));
	ck_assert_ptr_null(prof_elf_symbol(elf, 0, &low));
	prof_elf_close(elf);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(takes_the_dynamic_table_where_there_is_no_other)
{
	struct prof_elf *elf;
	uint64_t low;
	char id[130];

	ck_assert_ok(prof_maps_read(&maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&maps, (uint64_t)(uintptr_t)getpid);
	ck_assert_ptr_nonnull(mapping);
	read_build_id(mapping, id, sizeof id);
	ck_assert_ok(prof_elf_open_file(prof_arch_native(), mapping, id, &elf));
	const char *name = prof_elf_symbol(elf, (uint64_t)(uintptr_t)getpid, &low);
	ck_assert_msg(name && strstr(name, "getpid"), "%s", name ? name : "no name");
	prof_elf_close(elf);
	prof_maps_deinit(&maps);
}
END_TEST

/* A program with all its symbols stands for the file that they were split off to. */
START_TEST(takes_symbols_that_were_split_off)
{
	struct prof_mapping *mapping = own_mapping();
	uint64_t address = (uint64_t)(uintptr_t)wanted;
	struct prof_elf *elf;
	uint64_t low;
	char id[130];

	read_build_id(mapping, id, sizeof id);
	ck_assert_ok(prof_elf_open_file(prof_arch_native(), mapping, id, &elf));
	ck_assert(!prof_elf_add_symbols(elf, "/nowhere"));
	ck_assert(!prof_elf_add_symbols(elf, "/dev/null"));
	/* Another file. */
	const struct prof_mapping *other = prof_maps_find(&maps, (uint64_t)(uintptr_t)getpid);
	ck_assert_ptr_nonnull(other);
	ck_assert(!prof_elf_add_symbols(elf, other->path));
	ck_assert_str_eq(prof_elf_symbol(elf, address, &low), "wanted");
	ck_assert(prof_elf_add_symbols(elf, mapping->path));
	ck_assert_str_eq(prof_elf_symbol(elf, address, &low), "wanted");
	ck_assert_uint_eq(low, address);
	/* Names that were given are of what is open. */
	ck_assert(!prof_elf_add_symbols(elf, mapping->path));
	prof_elf_close(elf);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(opens_what_a_process_that_has_ended_had_mapped)
{
	struct prof_mapping *mapping = own_mapping();
	struct prof_elf *elf;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child)
		_exit(0);
	siginfo_t ended;
	/* It is a zombie now, and then nothing. */
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_ok(prof_elf_open(child, NULL, prof_arch_native(), mapping, &elf));
		prof_elf_close(elf);
		waitpid(child, NULL, 0);
	}
	mapping->inode++;
	ck_assert_error(
		prof_elf_open(child, NULL, prof_arch_native(), mapping, &elf), "cannot be read");
	prof_maps_deinit(&maps);
}
END_TEST

enum { DATA = 0x12345678 };
static volatile uint32_t data = DATA;

/* Code is read as it is in the file. */
/* Where that is permitted, a mapped file is opened by its place, which another may have taken. */
START_TEST(opens_what_was_mapped_where_another_file_is_now)
{
	struct prof_mapping gone = *own_mapping();
	const struct prof_mapping *library = prof_maps_find(&maps, (uint64_t)(uintptr_t)getpid);
	struct prof_elf *elf;
	char id[130];

	ck_assert_ptr_nonnull(library);
	read_build_id(library, id, sizeof id);
	gone.offset = library->offset;
	gone.device = library->device;
	gone.inode = library->inode;
	gone.path = library->path;
	ck_assert_ok(prof_elf_open(getpid(), NULL, prof_arch_native(), &gone, &elf));
	ck_assert_str_eq(prof_elf_build_id(elf), id);
	ck_assert(prof_elf_is_current(elf, getpid(), &gone));
	prof_elf_close(elf);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(reads_code)
{
	struct prof_mapping *mapping = own_mapping();
	uint64_t address = (uint64_t)(uintptr_t)wanted;
	unsigned char code[16];
	uint32_t number;
	struct prof_elf *elf;

	ck_assert_ok(prof_elf_open(getpid(), NULL, prof_arch_native(), mapping, &elf));
	ck_assert(prof_elf_code(elf, address, code, sizeof code));
	ck_assert_mem_eq(code, (const void *)(uintptr_t)wanted, sizeof code);
	ck_assert(!prof_elf_code(elf, mapping->low - 0x10000000, code, sizeof code));
	ck_assert(!prof_elf_code(elf, address, code, SIZE_MAX - 8));
	ck_assert(!prof_elf_code(elf, UINT64_MAX, code, 1));
	ck_assert(prof_elf_data(elf, address, code, sizeof code));
	ck_assert_mem_eq(code, (const void *)(uintptr_t)wanted, sizeof code);
	/* Data are read by that name only. */
	address = (uint64_t)(uintptr_t)&data;
	ck_assert(!prof_elf_code(elf, address, &number, sizeof number));
	ck_assert(prof_elf_data(elf, address, &number, sizeof number));
	ck_assert_uint_eq(number, DATA);
	prof_elf_close(elf);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(refuses_a_file_that_is_another_by_now)
{
	struct prof_elf *elf = NULL;
	struct prof_error *error =
		prof_elf_open_file(prof_arch_native(), own_mapping(), "00ff", &elf);

	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_MISMATCH);
	ck_assert_ptr_null(elf);
	prof_error_destroy(error);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(refuses_what_is_no_file)
{
	static const char *const paths[] = {
		"/nonexistent/file", "/", "/dev/zero", "/proc/self/status"};

	for (size_t i = 0; i < PROF_COUNT(paths); i++) {
		struct prof_mapping mapping = {
			.low = 0x1000, .high = 0x2000, .path = (char *)paths[i]};
		struct prof_elf *elf = NULL;
		struct prof_error *error =
			prof_elf_open_file(prof_arch_native(), &mapping, "00ff", &elf);
		ck_assert_ptr_nonnull(error);
		ck_assert_ptr_nonnull(strstr(prof_error_message(error), paths[i]));
		prof_error_destroy(error);
	}
}
END_TEST

RUN_TESTS("elf", names_functions_by_the_symbol_table,
	takes_the_dynamic_table_where_there_is_no_other, takes_symbols_that_were_split_off,
	refuses_a_file_that_is_another_by_now, refuses_what_is_no_file,
	opens_what_a_process_that_has_ended_had_mapped,
	opens_what_was_mapped_where_another_file_is_now, reads_code)
