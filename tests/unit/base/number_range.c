/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/number_range.h"

#include "base/memory.h"

#include "suite.h"

START_TEST(reads_one_range_after_the_other)
{
	const char *at = "2-4,7,9-8";
	struct prof_number_range range;

	ck_assert(prof_number_range_read(&at, &range));
	ck_assert_uint_eq(range.first, 2);
	ck_assert_uint_eq(range.last, 4);
	ck_assert_str_eq(at, "7,9-8");
	ck_assert(prof_number_range_read(&at, &range));
	ck_assert_uint_eq(range.first, 7);
	ck_assert_uint_eq(range.last, 7);
	ck_assert(prof_number_range_read(&at, &range));
	ck_assert_uint_eq(range.first, 9);
	ck_assert_uint_eq(range.last, 8);
	ck_assert_ptr_null(at);
}
END_TEST

START_TEST(what_is_no_range_is_refused)
{
	static const char *const wrong[] = {"", ",", "x", "-", "-1", "1-", "1-x", "1x", "1 2"};

	for (size_t i = 0; i < PROF_COUNT(wrong); i++) {
		const char *at = wrong[i];
		struct prof_number_range range;
		ck_assert_msg(!prof_number_range_read(&at, &range), "%s", wrong[i]);
		ck_assert_ptr_eq(at, wrong[i]);
	}
}
END_TEST

START_TEST(what_is_too_large_is_the_largest)
{
	const char *at = "99999999999999999999999";
	struct prof_number_range range;

	ck_assert(prof_number_range_read(&at, &range));
	ck_assert_uint_eq(range.first, UINT64_MAX);
	at = "18446744073709551615-1";
	ck_assert(prof_number_range_read(&at, &range));
	ck_assert_uint_eq(range.first, UINT64_MAX);
	ck_assert_uint_eq(range.last, 1);
}
END_TEST

RUN_TESTS("number_range", reads_one_range_after_the_other, what_is_no_range_is_refused,
	what_is_too_large_is_the_largest)
