/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/recent.h"

#include "suite.h"

START_TEST(number_is_new_once)
{
	struct prof_recent recent = {0};

	for (uint64_t i = 0; i < PROF_RECENT_MOST; i++) {
		ck_assert(prof_recent_add(&recent, i * i));
		ck_assert(!prof_recent_add(&recent, i * i));
		ck_assert(!prof_recent_add(&recent, 0));
	}
	prof_recent_deinit(&recent);
	ck_assert(prof_recent_add(&recent, 0));
	prof_recent_deinit(&recent);
}
END_TEST

START_TEST(set_stays_small)
{
	struct prof_recent recent = {0};

	for (uint64_t i = 0; i < PROF_RECENT_MOST * UINT64_C(10); i++) {
		ck_assert(prof_recent_add(&recent, i));
		ck_assert_uint_le(recent.numbers.count, PROF_RECENT_MOST);
		ck_assert_uint_le(recent.numbers.capacity, PROF_RECENT_MOST * 2);
	}
	/* The first were forgotten, the last one was not. */
	ck_assert(!prof_recent_add(&recent, PROF_RECENT_MOST * UINT64_C(10) - 1));
	ck_assert(prof_recent_add(&recent, 0));
	prof_recent_deinit(&recent);
}
END_TEST

RUN_TESTS("recent", number_is_new_once, set_stays_small)
