/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/kallsyms.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The list TEXT, as it is read. */
static struct prof_kallsyms *read_list(const char *text)
{
	char path[] = "/tmp/kallsyms-XXXXXX";
	int fd = mkstemp(path);
	struct prof_kallsyms *symbols = NULL;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	ck_assert_ptr_null(prof_kallsyms_read(path, &symbols));
	unlink(path);
	return symbols;
}

static void check_at(
	const struct prof_kallsyms *symbols, uint64_t address, const char *name, uint64_t expected)
{
	uint64_t low = 0;

	ck_assert_str_eq(prof_kallsyms_find(symbols, address, &low), name);
	ck_assert_uint_eq(low, expected);
}

START_TEST(function_is_found_by_any_address_in_it)
{
	struct prof_kallsyms *symbols = read_list("ffffffff81000040 T second\n"
						  "ffffffff81000000 t first\n"
						  "ffffffff81000050 D some_data\n"
						  "ffffffffc0000000 t in_module\t[ext4]\n");
	uint64_t low;

	check_at(symbols, 0xffffffff81000000, "first", 0xffffffff81000000);
	check_at(symbols, 0xffffffff8100003f, "first", 0xffffffff81000000);
	check_at(symbols, 0xffffffff81000060, "second", 0xffffffff81000040);
	check_at(symbols, 0xffffffffc0000123, "in_module", 0xffffffffc0000000);
	ck_assert_ptr_null(prof_kallsyms_find(symbols, 0xffffffff80ffffff, &low));
	prof_kallsyms_destroy(symbols);
}
END_TEST

START_TEST(names_that_were_made_up_for_linking_stand_back)
{
	struct prof_kallsyms *symbols = read_list("ffffffff81000000 T __pi_memcpy\n"
						  "ffffffff81000000 W memcpy\n"
						  "ffffffff81000000 T __memcpy\n"
						  "ffffffff80fffff0 t __pfx_memcpy\n");
	uint64_t low;

	check_at(symbols, 0xffffffff81000008, "memcpy", 0xffffffff81000000);
	ck_assert_ptr_null(prof_kallsyms_find(symbols, 0xffffffff80fffff8, &low));
	prof_kallsyms_destroy(symbols);
}
END_TEST

START_TEST(hidden_addresses_name_nothing)
{
	struct prof_kallsyms *symbols =
		read_list("0000000000000000 T first\n0000000000000000 t second\n");
	uint64_t low;

	ck_assert_ptr_null(prof_kallsyms_find(symbols, 0xffffffff81000000, &low));
	prof_kallsyms_destroy(symbols);
}
END_TEST

START_TEST(lines_that_are_none_are_passed_over)
{
	struct prof_kallsyms *symbols = read_list("\nnonsense\nffffffff81000000\n"
						  "ffffffff81000000 T\nffffffff81000000 T \n"
						  "ffffffff81000010 T real\nffffffff81000020 T x");
	uint64_t low;

	ck_assert_ptr_null(prof_kallsyms_find(symbols, 0xffffffff81000008, &low));
	check_at(symbols, 0xffffffff81000010, "real", 0xffffffff81000010);
	check_at(symbols, 0xffffffff81000020, "x", 0xffffffff81000020);
	prof_kallsyms_destroy(symbols);
}
END_TEST

START_TEST(list_that_is_not_there_is_an_error)
{
	struct prof_kallsyms *symbols = NULL;
	struct prof_error *error = prof_kallsyms_read("/nowhere/kallsyms", &symbols);

	ck_assert_str_eq(prof_error_message(error),
		"\"/nowhere/kallsyms\" cannot be read: No such file or directory.");
	prof_error_destroy(error);
}
END_TEST

/* Whether it is shown to us or not, both say the same. */
START_TEST(running_kernel_is_read)
{
	struct prof_kallsyms *symbols = NULL;
	uint64_t low;

	if (access("/proc/kallsyms", R_OK))
		return;
	ck_assert_ptr_null(prof_kallsyms_read(NULL, &symbols));
	ck_assert_int_eq(prof_kallsyms_shown(), !!prof_kallsyms_find(symbols, UINT64_MAX, &low));
	prof_kallsyms_destroy(symbols);
}
END_TEST

RUN_TESTS("kallsyms", function_is_found_by_any_address_in_it,
	names_that_were_made_up_for_linking_stand_back, hidden_addresses_name_nothing,
	lines_that_are_none_are_passed_over, list_that_is_not_there_is_an_error,
	running_kernel_is_read)
