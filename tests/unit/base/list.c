/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/list.h"

#include "suite.h"

START_TEST(names_have_commas_between_them)
{
	AUTO_TEXT struct prof_text list = {0};

	prof_list_add(&list, "one");
	ck_assert_str_eq(prof_text_get(&list), "one");
	prof_list_add(&list, "t\033wo");
	ck_assert_str_eq(prof_text_get(&list), "one, t\\x1bwo");
}
END_TEST

START_TEST(what_a_list_lacks_is_an_error_that_shows_it)
{
	AUTO_TEXT struct prof_text list = {0};

	prof_list_add(&list, "text");
	prof_list_add(&list, "csv");
	AUTO_ERROR struct prof_error *error =
		prof_list_lacks(&list, PROF_ERROR_USAGE, "format", "pdf,csv", 3);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_USAGE);
	ck_assert_str_eq(
		prof_error_message(error), "There is no format \"pdf\"; there are: text, csv.");
}
END_TEST

START_TEST(a_sentence_has_the_first_names)
{
	static const char *const expected[] = {
		"", "a", "a, b", "a, b and 1 more", "a, b and 2 more"};
	static const char *const all[] = {"a", "b", "c", "d"};

	for (size_t count = 0; count <= 4; count++) {
		AUTO_TEXT struct prof_text text = {0};
		struct prof_list_names names = {.text = &text, .most = 2};
		for (size_t i = 0; i < count; i++)
			prof_list_name(&names, all[i]);
		prof_list_end(&names);
		ck_assert_str_eq(prof_text_get(&text), expected[count]);
		ck_assert_uint_eq(names.count, count);
	}
}
END_TEST

RUN_TESTS("list", names_have_commas_between_them, a_sentence_has_the_first_names,
	what_a_list_lacks_is_an_error_that_shows_it)
