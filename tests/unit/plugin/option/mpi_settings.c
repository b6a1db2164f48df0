/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/mpi_settings.h"

#include "suite.h"

#include "plugin/option/settings.h"

#include <stdlib.h>
#include <string.h>

/* What the settings are: without GDB they are here. */
static const char *stacks = "1", *buffer = "64M", *flushes = "0", *verbose = "1";

struct prof_error *settings_get(const char *name, char **ret)
{
	const char *value = !strcmp(name, "mpi-stacks") ? stacks
		: !strcmp(name, "mpi-buffer-size")      ? buffer
		: !strcmp(name, "mpi-max-flushes")      ? flushes
							: verbose;

	*ret = strdup(value);
	return NULL;
}

START_TEST(settings_are_read_as_numbers)
{
	struct mpi_settings settings;

	ck_assert_ok(mpi_settings_get(&settings));
	ck_assert(settings.stacks && settings.buffer == 64 << 20 && !settings.flushes);
	ck_assert_int_eq(settings.verbosity, MPI_WARNING);
	stacks = "0", buffer = "720", flushes = "3", verbose = "2";
	ck_assert_ok(mpi_settings_get(&settings));
	ck_assert(!settings.stacks && settings.buffer == 720 && settings.flushes == 3);
	ck_assert_int_eq(settings.verbosity, MPI_STATUS);
	buffer = "2G";
	ck_assert_ok(mpi_settings_get(&settings));
	ck_assert_uint_eq(settings.buffer, UINT64_C(2) << 30);
}
END_TEST

START_TEST(what_is_no_size_and_no_number_is_refused)
{
	static const char *const sizes[] = {
		"", "0", "-1", "5X", "5MB", "M", "1025G", "99999999999999999999"};
	static const char *const numbers[] = {"", "-1", "1.5", "all", "1000000001"};

	for (size_t i = 0; i < PROF_COUNT(sizes); i++)
		ck_assert_error(mpi_settings_check_buffer(sizes[i]), "is not a size");
	for (size_t i = 0; i < PROF_COUNT(numbers); i++)
		ck_assert_error(
			mpi_settings_check_flushes(numbers[i]), "is not a number of flushes");
	ck_assert_ok(mpi_settings_check_buffer("1024G"));
	ck_assert_ok(mpi_settings_check_flushes("1000000000"));
}
END_TEST

START_TEST(each_setting_has_a_variable_and_two_have_words)
{
	ck_assert_str_eq(mpi_settings_variable("mpi-buffer-size"), "VT_BUFFER_SIZE");
	ck_assert_str_eq(mpi_settings_variable("mpi-verbose"), "VT_VERBOSE");
	ck_assert_ptr_null(mpi_settings_variable("rate"));
	ck_assert_str_eq(mpi_settings_stacks_word(1), "1");
	ck_assert_ptr_null(mpi_settings_stacks_word(2));
	ck_assert_str_eq(mpi_settings_verbose_word(2), "2");
	ck_assert_ptr_null(mpi_settings_verbose_word(3));
}
END_TEST

RUN_TESTS("mpi settings", settings_are_read_as_numbers, what_is_no_size_and_no_number_is_refused,
	each_setting_has_a_variable_and_two_have_words)
