/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/demangle.h"
#include "suite.h"

#include <stdio.h>

static void assert_demangled(const char *name, const char *expected)
{
	char *demangled = prof_demangle(name);

	if (expected)
		ck_assert_str_eq(demangled, expected);
	else
		ck_assert_ptr_null(demangled);
	free(demangled);
}

START_TEST(names_of_cplusplus_are_those_of_the_source)
{
	assert_demangled("_Z3runi", "run(int)");
	assert_demangled("_ZN3app2io4copyIlEEvl", "void app::io::copy<long>(long)");
	assert_demangled("_Z4workv.constprop.0", "work() [clone .constprop.0]");
}
END_TEST

START_TEST(names_of_rust_are_too)
{
	assert_demangled("_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE",
		"core::fmt::Formatter::write_str");
}
END_TEST

START_TEST(a_name_that_grows_beyond_measure_is_left_as_it_is)
{
	char name[512] = "_Z1f1AIiiES_IS0_S0_E";

	/* Each part is one twice as long as that before: with 25 of them, a gigabyte. */
	for (int i = 1; i < 25; i++) {
		char part[32], digit = (char)(i < 10 ? '0' + i : 'A' + i - 10);
		snprintf(part, sizeof part, "S_IS%c_S%c_E", digit, digit);
		strcat(name, part);
		char *demangled = prof_demangle(name);
		ck_assert(i > 4 || demangled);
		ck_assert(i < 10 || !demangled);
		free(demangled);
	}
}
END_TEST

START_TEST(other_names_are_none)
{
	assert_demangled("main", NULL);
	assert_demangled("i", NULL);
	assert_demangled("", NULL);
	assert_demangled("_Z", NULL);
	assert_demangled("_Znonsense", NULL);
}
END_TEST

RUN_TESTS("demangle", names_of_cplusplus_are_those_of_the_source, names_of_rust_are_too,
	a_name_that_grows_beyond_measure_is_left_as_it_is, other_names_are_none)
