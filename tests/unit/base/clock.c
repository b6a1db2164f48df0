/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/clock.h"

#include "suite.h"

enum { MS = 1000000 };

START_TEST(used_time_is_that_of_the_thread)
{
	int64_t before = prof_clock_used(), begin = prof_clock();

	while (prof_clock_used() - before < 2 * MS)
		;
	ck_assert_int_ge(prof_clock() - begin, MS);
}
END_TEST

START_TEST(times_of_the_c_library_are_ns_and_back)
{
	struct timespec time = prof_clock_timespec(INT64_C(12345678901));

	ck_assert_int_eq(time.tv_sec, 12);
	ck_assert_int_eq(time.tv_nsec, 345678901);
	ck_assert_int_eq(prof_clock_ns(time), INT64_C(12345678901));
	ck_assert_int_eq(prof_clock_ns(prof_clock_timespec(0)), 0);
}
END_TEST

RUN_TESTS("clock", used_time_is_that_of_the_thread, times_of_the_c_library_are_ns_and_back)
