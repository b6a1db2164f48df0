/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/ring_pace.h"

#include "suite.h"

enum { KB = 1 << 10, MB = 1 << 20 };

START_TEST(few_records_are_waited_for_longer_and_longer)
{
	int64_t sleep = PROF_RING_PACE_LEAST;

	for (int64_t i = 2; i <= 16; i *= 2) {
		sleep = prof_ring_pace_next(sleep, 16 * KB, 64 * MB, false);
		ck_assert_int_eq(sleep, i * PROF_RING_PACE_LEAST);
	}
	ck_assert_int_eq(prof_ring_pace_next(sleep, 0, 64 * MB, false), PROF_RING_PACE_MOST);
}
END_TEST

START_TEST(many_records_are_taken_soon)
{
	ck_assert_int_eq(
		prof_ring_pace_next(PROF_RING_PACE_MOST, MB, 64 * MB, false), PROF_RING_PACE_LEAST);
	/* In a small ring fewer are many. */
	ck_assert_int_eq(prof_ring_pace_next(PROF_RING_PACE_MOST, 128 * KB, 64 * MB, false),
		PROF_RING_PACE_MOST);
	ck_assert_int_eq(prof_ring_pace_next(PROF_RING_PACE_MOST, 128 * KB, MB, false),
		PROF_RING_PACE_LEAST);
}
END_TEST

START_TEST(raw_stacks_are_taken_soon)
{
	ck_assert_int_eq(
		prof_ring_pace_next(PROF_RING_PACE_MOST, KB, 64 * MB, true), PROF_RING_PACE_LEAST);
}
END_TEST

RUN_TESTS("ring pace", few_records_are_waited_for_longer_and_longer, many_records_are_taken_soon,
	raw_stacks_are_taken_soon)
