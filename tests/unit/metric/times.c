/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/times.h"

#include "suite.h"

static bool have(const char *text, int64_t ns)
{
	AUTO_TIMES struct prof_times times = {0};

	ck_assert_ok(prof_times_read(&times, text));
	return prof_times_have(&times, ns);
}

START_TEST(ranges_have_their_begin_and_not_their_end)
{
	ck_assert(!have("1.5s-3s", 1499999999));
	ck_assert(have("1.5s-3s", 1500000000));
	ck_assert(have("1.5s-3s", 2999999999));
	ck_assert(!have("1.5s-3s", 3000000000));
}
END_TEST

START_TEST(units_are_s_ms_and_us)
{
	ck_assert(have("2-3", 2000000000));
	ck_assert(have("2ms-3ms", 2000000));
	ck_assert(have("2us-3us", 2999));
	ck_assert(!have("2us-3us", 3000));
	ck_assert(have("2m-3h", 120000000000) && have("2m-3h", 10799999999999));
	ck_assert(!have("2m-3h", 119999999999) && !have("2m-3h", 10800000000000));
}
END_TEST

START_TEST(ranges_meet_stretches_that_share_a_moment)
{
	AUTO_TIMES struct prof_times times = {0};

	ck_assert_ok(prof_times_read(&times, "2us-3us,5us-6us"));
	ck_assert(prof_times_meet(&times, 0, 2000));
	ck_assert(!prof_times_meet(&times, 0, 1999));
	ck_assert(prof_times_meet(&times, 2999, 4000));
	ck_assert(!prof_times_meet(&times, 3000, 4999));
	ck_assert(prof_times_meet(&times, 0, 10000));
}
END_TEST

START_TEST(ends_may_be_missing)
{
	ck_assert(have("-1s", 0));
	ck_assert(!have("-1s", 1000000000));
	ck_assert(have("1s-", INT64_MAX / 2));
}
END_TEST

START_TEST(several_ranges_are_one_or_the_other)
{
	ck_assert(have("1s-2s,5s-6s", 5500000000));
	ck_assert(!have("1s-2s,5s-6s", 3000000000));
}
END_TEST

START_TEST(what_is_no_range_is_refused)
{
	static const char *const texts[] = {"", "1s", "-", "1x-2", "a-b", "1s-2s,", ",1s-2s",
		"1s--2s", "1s-2s-3s", "1s 2s", "1sm-2", "nan-2", "1e300-", "0x10-0x20"};

	for (size_t i = 0; i < PROF_COUNT(texts); i++) {
		AUTO_TIMES struct prof_times times = {0};
		ck_assert_error(prof_times_read(&times, texts[i]), "Times are written");
	}
}
END_TEST

START_TEST(empty_and_reversed_ranges_are_refused)
{
	static const char *const texts[] = {"2s-1s", "1s-1000ms", "0-0", "1s-2s,4s-3s"};

	for (size_t i = 0; i < PROF_COUNT(texts); i++) {
		AUTO_TIMES struct prof_times times = {0};
		ck_assert_error(prof_times_read(&times, texts[i]),
			"holds no time: give the earlier end first");
	}
}
END_TEST

RUN_TESTS("times", ranges_have_their_begin_and_not_their_end, units_are_s_ms_and_us,
	ranges_meet_stretches_that_share_a_moment, ends_may_be_missing,
	several_ranges_are_one_or_the_other, what_is_no_range_is_refused,
	empty_and_reversed_ranges_are_refused)
