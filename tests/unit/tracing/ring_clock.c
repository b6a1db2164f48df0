/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/ring_clock.h"

#include "base/clock.h"
#include "suite.h"

#include <unistd.h>

START_TEST(units_of_clock_monotonic_are_ns)
{
	struct prof_ring_clock clock;

	prof_ring_clock_init(&clock, false);
	ck_assert_int_eq(prof_ring_clock_to_ns(&clock, 12345), 12345);
	ck_assert_uint_eq(prof_ring_clock_from_ns(&clock, clock.last_time + 7), clock.last + 7);
	ck_assert_int_eq(prof_ring_clock_span(&clock, 999), 999);
	ck_assert_int_gt(prof_ring_clock_span(&clock, UINT64_MAX), 0);
	ck_assert_int_gt(prof_ring_clock_to_ns(&clock, UINT64_MAX), 0);
}
END_TEST

/* However fast the counter is: what it says lies between what the clock says around it. */
START_TEST(the_counter_is_translated)
{
	struct prof_ring_clock clock;

	prof_ring_clock_init(&clock, true);
	usleep(20000);
	prof_ring_clock_adjust(&clock);
	int64_t before = prof_clock();
	uint64_t stamp = prof_ring_clock_now(&clock);
	int64_t after = prof_clock();
	ck_assert_int_gt(prof_ring_clock_to_ns(&clock, stamp), before - 200000);
	ck_assert_int_lt(prof_ring_clock_to_ns(&clock, stamp), after + 200000);
	ck_assert_uint_lt(prof_ring_clock_from_ns(&clock, before - 1000000), stamp);
	ck_assert_uint_gt(prof_ring_clock_from_ns(&clock, after + 1000000), stamp);
	ck_assert_int_gt(prof_ring_clock_span(&clock, UINT64_MAX), 0);
}
END_TEST

START_TEST(without_time_between_nothing_breaks)
{
	struct prof_ring_clock clock;

	prof_ring_clock_init(&clock, true);
	ck_assert_int_ge(prof_ring_clock_to_ns(&clock, 0), 0);
	ck_assert_uint_le(prof_ring_clock_from_ns(&clock, 0), clock.last);
}
END_TEST

RUN_TESTS("ring_clock", units_of_clock_monotonic_are_ns, the_counter_is_translated,
	without_time_between_nothing_breaks)
