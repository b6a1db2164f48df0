/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As many lines of a text as a screen has room for. */
#include "report/page.h"

#include "suite.h"

static void check(const char *lines, size_t rows, const char *expected)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_page_print(lines, rows, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
}

START_TEST(short_texts_are_whole)
{
	check("", 3, "\033[J");
	check("one\n", 3, "one\033[K\r\n\033[J");
	check("one\n\ntwo", 3, "one\033[K\r\n\033[K\r\ntwo\033[K\r\n\033[J");
}
END_TEST

START_TEST(what_does_not_fit_is_left_out)
{
	check("one\ntwo\nthree\n", 2, "one\033[K\r\ntwo\033[K\r\n\033[J");
	check("one\n", 0, "\033[J");
}
END_TEST

RUN_TESTS("page", short_texts_are_whole, what_does_not_fit_is_left_out)
