/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as text in XML. */
#include "picture/xml.h"

#include "suite.h"

static void check(const char *name, size_t columns, const char *expected)
{
	struct prof_text text = {0};

	if (columns)
		prof_xml_name_cut(name, columns, &text);
	else
		prof_xml_name(name, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
	prof_text_deinit(&text);
}

START_TEST(marks_are_escaped)
{
	check("", 0, "");
	check("operator<<", 0, "operator&lt;&lt;");
	check("a&b>\"c\"'d'", 0, "a&amp;b&gt;&quot;c&quot;'d'");
	check("]]>&lt;", 0, "]]&gt;&amp;lt;");
}
END_TEST

START_TEST(what_xml_has_not_is_shown)
{
	check("a\x01\n\x1b[m\x7f", 0, "a\\x01\\x0a\\x1b[m\\x7f");
	check("\xff\xc3(\xed\xa0\x80", 0, "\\xff\\xc3(\\xed\\xa0\\x80");
	check("\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf", 0, "\xef\xbf\xbd\\ufffe\\uffff");
	check("\xe2\x80\xaex", 0, "\\u202ex");
	check("caf\xc3\xa9 \xf0\x9f\x94\xa5", 0, "caf\xc3\xa9 \xf0\x9f\x94\xa5");
}
END_TEST

START_TEST(what_does_not_fit_is_cut)
{
	check("abcd", 4, "abcd");
	check("abcde", 4, "abc\xe2\x80\xa6");
	check("<<<<<", 4, "&lt;&lt;&lt;\xe2\x80\xa6");
	check("\xc3\xa9\xc3\xa9\xc3\xa9", 3, "\xc3\xa9\xc3\xa9\xc3\xa9");
	check("\xc3\xa9\xc3\xa9\xc3\xa9", 2, "\xc3\xa9\xe2\x80\xa6");
	check("\x01zzz", 4, "\\x0\xe2\x80\xa6");
	check("ab", 1, "\xe2\x80\xa6");
	check("", 1, "");
}
END_TEST

RUN_TESTS("xml", marks_are_escaped, what_xml_has_not_is_shown, what_does_not_fit_is_cut)
