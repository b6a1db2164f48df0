/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/wrappable.h"

#include "suite.h"

START_TEST(function_that_depends_on_its_caller_is_refused_with_the_reason)
{
	static const struct {
		const char *name, *why;
	} rows[] = {
		{"setjmp", "second time"},
		{"vfork", "second time"},
		{"dlopen", "which load object"},
		{"__fentry__", "calling convention"},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct prof_error *error = wrappable_check(rows[i].name);
		ck_assert_int_eq(prof_error_code(error), PROF_ERROR_UNSUPPORTED);
		ck_assert_ptr_nonnull(strstr(prof_error_message(error), rows[i].name));
		ck_assert_ptr_nonnull(strstr(prof_error_message(error), rows[i].why));
		prof_error_destroy(error);
	}
}
END_TEST

START_TEST(other_functions_can_be_traced)
{
	ck_assert_ok(wrappable_check("malloc"));
	ck_assert_ok(wrappable_check("fork"));
	ck_assert_ok(wrappable_check("setjmps"));
	ck_assert_ok(wrappable_check(""));
}
END_TEST

RUN_TESTS("wrappable", function_that_depends_on_its_caller_is_refused_with_the_reason,
	other_functions_can_be_traced)
