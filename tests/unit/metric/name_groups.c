/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/name_groups.h"

#include "suite.h"

/* The group at the beginning of TEXT is followed by REST; NULL: it has no end. */
static void skips(const char *text, const char *rest)
{
	const char *behind = prof_name_skip_group(text);

	if (rest)
		ck_assert_str_eq(behind, rest);
	else
		ck_assert_ptr_null(behind);
}

START_TEST(brackets_are_nested)
{
	skips("<int>x", "x");
	skips("<a<b>, c<d<e> > >::f", "::f");
	skips("(a, (b)) const", " const");
	skips("{lambda(int)#1}::f", "::f");
	skips("<void (*)(int)>()", "()");
	skips("(a", NULL);
	skips("<a<b>", NULL);
	skips("(a]", NULL);
}
END_TEST

START_TEST(signs_are_no_brackets)
{
	skips("<(3>2)>x", "x");
	skips("<(1<<3)>x", "x");
	skips("<decltype(a->b)>x", "x");
	skips("<&S::operator-> >x", "x");
	skips("<&S::operator<, &S::operator()>x", "x");
	skips("<my_operator<int> >x", "x");
}
END_TEST

START_TEST(brackets_that_are_too_deep_have_no_end)
{
	char deep[200];

	memset(deep, '(', 100);
	memset(deep + 100, ')', 99);
	deep[199] = '\0';
	skips(deep, NULL);
}
END_TEST

START_TEST(the_longest_symbol_counts)
{
	ck_assert_str_eq(prof_name_skip_symbol("operator<<(int)"), "(int)");
	ck_assert_str_eq(prof_name_skip_symbol("operator==<char>"), "<char>");
	ck_assert_str_eq(prof_name_skip_symbol("operator-><int>"), "<int>");
	ck_assert_str_eq(prof_name_skip_symbol("operator ()(int)"), "(int)");
	ck_assert_ptr_null(prof_name_skip_symbol("operators"));
	ck_assert_ptr_null(prof_name_skip_symbol("operator int"));
	ck_assert_ptr_null(prof_name_skip_symbol("operator"));
}
END_TEST

RUN_TESTS("name groups", brackets_are_nested, signs_are_no_brackets,
	brackets_that_are_too_deep_have_no_end, the_longest_symbol_counts)
