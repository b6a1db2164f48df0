/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/time_unit.h"

#include "suite.h"

static int64_t find(const char *name, enum prof_time_unit least, enum prof_time_unit most)
{
	return prof_time_unit_find(name, strlen(name), least, most);
}

static void assert_printed(int64_t time, const char *expected)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_time_unit_print(time, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
}

START_TEST(units_have_a_name_and_a_word)
{
	ck_assert_int_eq(find("ns", PROF_TIME_NS, PROF_TIME_H), 1);
	ck_assert_int_eq(find("us", PROF_TIME_NS, PROF_TIME_H), 1000);
	ck_assert_int_eq(prof_time_unit_word("milliseconds"), 1000000);
	ck_assert_int_eq(prof_time_unit_word("seconds"), INT64_C(1000000000));
	ck_assert_int_eq(find("m", PROF_TIME_NS, PROF_TIME_H), INT64_C(60000000000));
	ck_assert_int_eq(find("h", PROF_TIME_NS, PROF_TIME_H), INT64_C(3600000000000));
}
END_TEST

START_TEST(other_words_are_no_units)
{
	ck_assert_int_eq(find("", PROF_TIME_NS, PROF_TIME_H), 0);
	ck_assert_int_eq(find("n", PROF_TIME_NS, PROF_TIME_H), 0);
	ck_assert_int_eq(find("seconds", PROF_TIME_NS, PROF_TIME_H), 0);
	ck_assert_int_eq(prof_time_unit_word("second"), 0);
	ck_assert_int_eq(prof_time_unit_word("s"), 0);
	ck_assert_int_eq(find("ns", PROF_TIME_US, PROF_TIME_H), 0);
	ck_assert_int_eq(find("m", PROF_TIME_US, PROF_TIME_S), 0);
	ck_assert_int_eq(prof_time_unit_find("msec", 2, PROF_TIME_US, PROF_TIME_S), 1000000);
}
END_TEST

START_TEST(spans_have_the_unit_that_fits)
{
	assert_printed(0, "0 ns");
	assert_printed(999, "999 ns");
	assert_printed(1000, "1 us");
	assert_printed(999940, "999.9 us");
	assert_printed(999950, "1 ms");
	assert_printed(12345678, "12.35 ms");
	assert_printed(INT64_C(123400000000), "123.4 s");
}
END_TEST

RUN_TESTS("time_unit", units_have_a_name_and_a_word, other_words_are_no_units,
	spans_have_the_unit_that_fits)
