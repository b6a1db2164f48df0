/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"
#include "sampling/family_clock.h"

#include "sampling/off_cpu.h"
#include "suite.h"

enum { MS = 1000000, PERIOD = 10 * MS };

/* The CPU time that samples stand for in 100 s of a busy thread, whose event's clock goes so many
 * times as FAST as the kernel's account, and that is looked at every 35 ms from BEGIN on. */
static int64_t told(double fast, int64_t begin)
{
	struct prof_family_clock clock = {0};
	struct prof_off_cpu off_cpu = {0};
	int64_t sum = 0, next = PERIOD;

	for (int64_t now = MS; now <= 100000 * (int64_t)MS; now += MS) {
		if (now >= begin && now % (35 * MS) == 0) {
			off_cpu.looked = now;
			off_cpu.read.run = now;
		}
		for (; next <= (double)now * fast; next += PERIOD)
			sum += prof_family_clock_sample(&clock, &off_cpu, now + 1, PERIOD);
	}
	return sum;
}

START_TEST(samples_are_the_account)
{
	const double fast[] = {0.9, 0.97, 1, 1.03, 1.15, 1.4};

	for (size_t i = 0; i < PROF_COUNT(fast); i++)
		ck_assert_int_le(llabs(told(fast[i], 0) - 100000 * (int64_t)MS), 4 * PERIOD);
}
END_TEST

/* What was before the first look is not made up for. */
START_TEST(until_a_look_each_stands_for_a_period)
{
	int64_t half = 50000 * (int64_t)MS;

	ck_assert_int_le(llabs(told(1.1, INT64_MAX) - 2 * half * 11 / 10), PERIOD);
	ck_assert_int_le(llabs(told(1.1, half) - half * 11 / 10 - half), 4 * PERIOD);
}
END_TEST

/* A thread has worked for 100 ms, of which 90 were sampled, and has slept since. */
START_TEST(at_the_end_there_is_no_more_than_can_be)
{
	const struct prof_off_cpu off_cpu = {.looked = 150 * MS, .read.run = 100 * MS};
	struct prof_family_clock clock = {.reported = 90 * MS, .compared = 60 * MS};

	ck_assert_int_eq(prof_family_clock_rest(&clock, &off_cpu, 100 * MS, 155 * MS), 10 * MS);
	/* It was 10 ms when it was looked at, and 5 ms have passed since. */
	ck_assert_int_eq(prof_family_clock_rest(&clock, &off_cpu, 400 * MS, 155 * MS), 15 * MS);
	ck_assert_int_eq(prof_family_clock_rest(&clock, &off_cpu, 80 * MS, 155 * MS), 0);
	/* Of a thread that was not looked at between samples nothing else is known. */
	clock.compared = 0;
	ck_assert_int_eq(prof_family_clock_rest(&clock, &off_cpu, 400 * MS, 155 * MS), 310 * MS);
}
END_TEST

RUN_TESTS("family clock", samples_are_the_account, until_a_look_each_stands_for_a_period,
	at_the_end_there_is_no_more_than_can_be)
