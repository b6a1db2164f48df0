/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include "suite.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

START_TEST(begins_empty)
{
	AUTO_TEXT struct prof_text text = {0};

	ck_assert_str_eq(prof_text_get(&text), "");
	ck_assert_ok(prof_text_error(&text));
}
END_TEST

START_TEST(grows_by_what_is_printed)
{
	AUTO_TEXT struct prof_text text = {0};
	size_t expected = 0;

	for (int i = 0; i < 1000; i++) {
		char number[16];
		prof_text_print(&text, "%d,", i);
		expected += (size_t)snprintf(number, sizeof number, "%d,", i);
	}
	ck_assert_uint_eq(text.length, expected);
	ck_assert_uint_eq(strlen(prof_text_get(&text)), expected);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text), ",499,500,501,"));
	ck_assert_ok(prof_text_error(&text));
}
END_TEST

START_TEST(takes_bytes_as_they_are)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_bytes(&text, "a\0b", 3);
	prof_text_bytes(&text, "", 0);
	prof_text_bytes(&text, "%s", 2);
	ck_assert_uint_eq(text.length, 5);
	ck_assert_mem_eq(prof_text_get(&text), "a\0b%s", 6);
}
END_TEST

START_TEST(spaces_are_none_below_one)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_spaces(&text, -5);
	prof_text_spaces(&text, 0);
	prof_text_spaces(&text, LONG_MIN);
	ck_assert_uint_eq(text.length, 0);
	prof_text_spaces(&text, 3);
	ck_assert_str_eq(prof_text_get(&text), "   ");
}
END_TEST

START_TEST(shortage_of_memory_is_remembered)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_print(&text, "kept");
	prof_text_bytes(&text, "", SIZE_MAX);
	prof_text_print(&text, "lost");
	ck_assert_str_eq(prof_text_get(&text), "kept");
	AUTO_ERROR struct prof_error *error = prof_text_error(&text);
	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_NOMEM);
}
END_TEST

/* NAME must be shown as SHOWN, and take as many columns as COLUMNS. */
static void assert_shown(const char *name, const char *shown, size_t columns)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_name(&text, name);
	ck_assert_str_eq(prof_text_get(&text), shown);
	ck_assert_uint_eq(prof_text_width(name), columns);
}

/* NAME, of one bad character, is shown as SHOWN, also in the midst of others. */
static void assert_escaped(const char *name, const char *shown)
{
	char around[64], expected[64];

	assert_shown(name, shown, strlen(shown));
	snprintf(around, sizeof around, "a%sb", name);
	snprintf(expected, sizeof expected, "a%sb", shown);
	assert_shown(around, expected, strlen(expected));
}

START_TEST(names_are_shown_as_they_are)
{
	assert_shown("", "", 0);
	assert_shown("std::vector<int, a>::operator[](unsigned long) const",
		"std::vector<int, a>::operator[](unsigned long) const", 52);
	assert_shown("<unknown> ~\"'\\", "<unknown> ~\"'\\", 14);
	assert_shown("\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9", 3);
	assert_shown("\xe2\x82\xac\xf0\x9f\x98\x80", "\xe2\x82\xac\xf0\x9f\x98\x80", 2);
	assert_shown(
		"\xc2\xa0\xef\xbf\xbf\xf4\x8f\xbf\xbf", "\xc2\xa0\xef\xbf\xbf\xf4\x8f\xbf\xbf", 3);
}
END_TEST

START_TEST(control_characters_are_not_obeyed)
{
	char name[2] = "", shown[8];

	assert_shown("\x1b[31mred\x1b]0;title\a", "\\x1b[31mred\\x1b]0;title\\x07", 27);
	for (int c = 1; c < 0x80; c++) {
		name[0] = (char)c;
		snprintf(shown, sizeof shown, "\\x%02x", c);
		if (c < 0x20 || c == 0x7f)
			assert_escaped(name, shown);
		else
			assert_shown(name, name, 1);
	}
}
END_TEST

/* Encoded in two bytes, they control a terminal as well as ESC with a letter does. */
START_TEST(c1_control_characters_are_not_obeyed)
{
	char name[3] = "\xc2", shown[8];

	for (int c = 0x80; c < 0xa0; c++) {
		name[1] = (char)c;
		snprintf(shown, sizeof shown, "\\u%04x", c);
		assert_escaped(name, shown);
	}
	/* The raw byte is no UTF-8. */
	assert_shown("\x9b"
		     "31m",
		"\\x9b31m", 7);
}
END_TEST

START_TEST(writing_direction_is_not_turned)
{
	static const struct {
		const char *name, *shown;
	} turns[] = {
		{"\xd8\x9c", "\\u061c"},
		{"\xe2\x80\x8e", "\\u200e"},
		{"\xe2\x80\x8f", "\\u200f"},
		{"\xe2\x80\xa8", "\\u2028"},
		{"\xe2\x80\xa9", "\\u2029"},
		{"\xe2\x80\xaa", "\\u202a"},
		{"\xe2\x80\xab", "\\u202b"},
		{"\xe2\x80\xac", "\\u202c"},
		{"\xe2\x80\xad", "\\u202d"},
		{"\xe2\x80\xae", "\\u202e"},
		{"\xe2\x81\xa6", "\\u2066"},
		{"\xe2\x81\xa7", "\\u2067"},
		{"\xe2\x81\xa8", "\\u2068"},
		{"\xe2\x81\xa9", "\\u2069"},
		{"\xef\xbb\xbf", "\\ufeff"},
	};

	for (size_t i = 0; i < PROF_COUNT(turns); i++)
		assert_escaped(turns[i].name, turns[i].shown);
}
END_TEST

START_TEST(bytes_that_are_no_utf8_are_shown_in_hex)
{
	assert_escaped("\x80", "\\x80");
	assert_escaped("\xbf", "\\xbf");
	assert_escaped("\xff", "\\xff");
	assert_escaped("\xfe", "\\xfe");
	/* Longer than they need be: '/', ESC, NUL, the euro sign. */
	assert_escaped("\xc0\xaf", "\\xc0\\xaf");
	assert_escaped("\xc1\x9b", "\\xc1\\x9b");
	assert_escaped("\xc0\x80", "\\xc0\\x80");
	assert_escaped("\xe0\x80\x9b", "\\xe0\\x80\\x9b");
	assert_escaped("\xe0\x9f\xbf", "\\xe0\\x9f\\xbf");
	assert_escaped("\xf0\x82\x82\xac", "\\xf0\\x82\\x82\\xac");
	/* Halves of a surrogate pair, and what is beyond the last character. */
	assert_escaped("\xed\xa0\x80", "\\xed\\xa0\\x80");
	assert_escaped("\xed\xbf\xbf", "\\xed\\xbf\\xbf");
	assert_escaped("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	assert_escaped("\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80");
	assert_escaped("\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80");
}
END_TEST

START_TEST(what_a_cut_character_hid_is_shown)
{
	assert_shown("\xc3", "\\xc3", 4);
	assert_shown("\xe2\x82", "\\xe2\\x82", 8);
	assert_shown("\xf0\x9f\x98", "\\xf0\\x9f\\x98", 12);
	/* The byte after must not be swallowed. */
	assert_shown("\xe2\x82\x1b[0m", "\\xe2\\x82\\x1b[0m", 15);
	assert_shown("\xf0\x9f\xc3\xa9", "\\xf0\\x9f\xc3\xa9", 9);
}
END_TEST

/* Whatever the bytes, what is shown is printable, and can be shown again unchanged. */
START_TEST(any_bytes_become_text_that_stays_as_it_is)
{
	char name[9];

	srand(1);
	for (int i = 0; i < 100000; i++) {
		AUTO_TEXT struct prof_text once = {0}, twice = {0};
		for (size_t k = 0; k < sizeof name - 1; k++)
			name[k] = (char)(rand() % 3 ? 0x80 + rand() % 128 : 1 + rand() % 127);
		name[sizeof name - 1] = '\0';
		prof_text_name(&once, name);
		prof_text_name(&twice, prof_text_get(&once));
		if (strcmp(prof_text_get(&once), prof_text_get(&twice)) != 0 ||
			prof_text_width(name) != prof_text_width(prof_text_get(&once)))
			ck_abort_msg("%s", prof_text_get(&once));
	}
}
END_TEST

START_TEST(text_beyond_its_bound_is_an_error_that_says_it)
{
	AUTO_TEXT struct prof_text text = {.most = 1 << 20};

	for (int i = 0; i < 1 << 10; i++)
		prof_text_spaces(&text, 1 << 10);
	ck_assert_ok(prof_text_error(&text));
	prof_text_print(&text, "%d", 1);
	prof_text_bytes(&text, "", 0);
	ck_assert_error(prof_text_error(&text), "more than 1 MB");
	ck_assert_uint_eq(text.length, 1 << 20);
}
END_TEST

static bool stop_at_third(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)what, (void)done, (void)total;
	return ++*(int *)context < 3;
}

START_TEST(printing_can_be_interrupted)
{
	int reports = 0;
	const struct prof_progress progress = {stop_at_third, &reports};
	AUTO_TEXT struct prof_text text = {.progress = &progress};

	for (int i = 0; i < 1000; i++)
		prof_text_spaces(&text, 1000);
	ck_assert_int_eq(reports, 3);
	ck_assert_uint_lt(text.length, 250000);
	struct prof_error *error = prof_text_error(&text);
	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	prof_error_destroy(error);
}
END_TEST

START_TEST(prose_stands_in_lines_that_fit_a_terminal)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_prose(&text, 4,
		"1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 123\n"
		"    next  word\n\nparagraph\n");
	ck_assert_str_eq(prof_text_get(&text),
		"    1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 123\n"
		"    next word\n\n    paragraph");
}
END_TEST

START_TEST(items_of_a_list_in_prose_stand_in_lines_of_their_own)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_prose(&text, 2,
		"Either - or:\n- one 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 123 x\n"
		"- two\n\nthe end");
	ck_assert_str_eq(prof_text_get(&text),
		"  Either - or:\n"
		"  - one 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 123 x\n"
		"  - two\n\n  the end");
	text.length = 0;
	prof_text_prose(&text, 0,
		"\n- one 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 next\nline");
	ck_assert_str_eq(prof_text_get(&text),
		"- one 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567\n"
		"  next line");
}
END_TEST

START_TEST(a_word_longer_than_a_line_has_one_of_its_own)
{
	AUTO_TEXT struct prof_text text = {0};
	char word[100] = {0}, prose[110], expected[110];

	memset(word, 'x', sizeof word - 1);
	snprintf(prose, sizeof prose, "a %s b", word);
	snprintf(expected, sizeof expected, "a\n%s\nb", word);
	prof_text_prose(&text, 0, prose);
	ck_assert_str_eq(prof_text_get(&text), expected);
	text.length = 0;
	prof_text_prose(&text, 0, " \n\n ");
	ck_assert_uint_eq(text.length, 0);
}
END_TEST

START_TEST(a_word_is_the_same_with_all_of_its_bytes)
{
	ck_assert(prof_text_is("cpu", "cpu,wall", 3));
	ck_assert(!prof_text_is("cpu", "cpu,wall", 4));
	ck_assert(!prof_text_is("cpu", "cpu", 2));
	ck_assert(prof_text_is("", "cpu", 0));
}
END_TEST

RUN_TESTS("base_text", a_word_is_the_same_with_all_of_its_bytes,
	prose_stands_in_lines_that_fit_a_terminal,
	items_of_a_list_in_prose_stand_in_lines_of_their_own,
	a_word_longer_than_a_line_has_one_of_its_own,
	text_beyond_its_bound_is_an_error_that_says_it, begins_empty, grows_by_what_is_printed,
	takes_bytes_as_they_are, spaces_are_none_below_one, shortage_of_memory_is_remembered,
	names_are_shown_as_they_are, control_characters_are_not_obeyed,
	c1_control_characters_are_not_obeyed, writing_direction_is_not_turned,
	bytes_that_are_no_utf8_are_shown_in_hex, what_a_cut_character_hid_is_shown,
	any_bytes_become_text_that_stays_as_it_is, printing_can_be_interrupted)
