#include "tracing/ticks.h"

#include "base/clock.h"
#include "suite.h"

#include <unistd.h>

START_TEST(ticks_of_the_clock_are_its_ns)
{
	struct prof_ticks ticks;

	prof_ticks_init(&ticks, false);
	ck_assert_int_eq(prof_ticks_time(&ticks, 12345), 12345);
	ck_assert_uint_eq(prof_ticks_of(&ticks, ticks.last_time + 7), ticks.last + 7);
	ck_assert_int_eq(prof_ticks_span(&ticks, 999), 999);
	ck_assert_int_gt(prof_ticks_span(&ticks, UINT64_MAX), 0);
	ck_assert_int_gt(prof_ticks_time(&ticks, UINT64_MAX), 0);
}
END_TEST

/* However fast the counter is: what it says lies between what the clock says around it. */
START_TEST(the_counter_is_translated)
{
	struct prof_ticks ticks;

	prof_ticks_init(&ticks, true);
	usleep(20000);
	prof_ticks_adjust(&ticks);
	int64_t before = prof_clock();
	uint64_t tick = prof_ticks_now(&ticks);
	int64_t after = prof_clock();
	ck_assert_int_gt(prof_ticks_time(&ticks, tick), before - 200000);
	ck_assert_int_lt(prof_ticks_time(&ticks, tick), after + 200000);
	ck_assert_uint_lt(prof_ticks_of(&ticks, before - 1000000), tick);
	ck_assert_uint_gt(prof_ticks_of(&ticks, after + 1000000), tick);
	ck_assert_int_gt(prof_ticks_span(&ticks, UINT64_MAX), 0);
}
END_TEST

START_TEST(without_time_between_nothing_breaks)
{
	struct prof_ticks ticks;

	prof_ticks_init(&ticks, true);
	ck_assert_int_ge(prof_ticks_time(&ticks, 0), 0);
	ck_assert_uint_le(prof_ticks_of(&ticks, 0), ticks.last);
}
END_TEST

RUN_TESTS("ticks", ticks_of_the_clock_are_its_ns, the_counter_is_translated,
	without_time_between_nothing_breaks)
