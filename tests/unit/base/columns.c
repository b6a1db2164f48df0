/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/columns.h"

#include "suite.h"

static size_t columns(const char *text)
{
	return prof_columns_of(text, strlen(text));
}

START_TEST(a_letter_takes_one)
{
	ck_assert_uint_eq(columns(""), 0);
	ck_assert_uint_eq(columns("main"), 4);
	ck_assert_uint_eq(columns("größe"), 5);
	ck_assert_uint_eq(prof_columns_of("main", 2), 2);
}
END_TEST

START_TEST(wide_characters_take_two)
{
	ck_assert_uint_eq(columns("関数"), 4);
	ck_assert_uint_eq(columns("함수"), 4);
	ck_assert_uint_eq(columns("f😀"), 3);
}
END_TEST

START_TEST(what_nobody_sees_takes_none)
{
	ck_assert_uint_eq(columns("e\u0301"), 1);
	ck_assert_uint_eq(columns("\033[31mred\033[m"), 3);
	ck_assert_uint_eq(columns("\001a\004"), 1);
}
END_TEST

START_TEST(bytes_that_are_no_character_take_one)
{
	ck_assert_uint_eq(columns("\xc3"), 1);
	ck_assert_uint_eq(columns("\xe3\x81"), 1);
	ck_assert_uint_eq(columns("\xffzz"), 3);
	ck_assert_uint_eq(columns("\033"), 0);
	ck_assert_uint_eq(columns("\033[12"), 3);
}
END_TEST

START_TEST(skips_whole_characters)
{
	ck_assert_uint_eq(prof_columns_skip("abc", 2), 2);
	ck_assert_uint_eq(prof_columns_skip("abc", 9), 3);
	ck_assert_uint_eq(prof_columns_skip("関数", 3), 3);
	ck_assert_uint_eq(prof_columns_skip("e\u0301x", 1), 3);
	ck_assert_uint_eq(prof_columns_skip_to("関数", 1), 3);
	ck_assert_uint_eq(prof_columns_skip_to("e\u0301x", 1), 3);
	ck_assert_uint_eq(prof_columns_skip_to("abc", 0), 0);
	ck_assert_uint_eq(prof_columns_skip_to("abc", 9), 3);
}
END_TEST

RUN_TESTS("columns", a_letter_takes_one, wide_characters_take_two, what_nobody_sees_takes_none,
	bytes_that_are_no_character_take_one, skips_whole_characters)
