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

RUN_TESTS("clock", used_time_is_that_of_the_thread)
