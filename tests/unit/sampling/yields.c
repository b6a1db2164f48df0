/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/yields.h"

#include "base/clock.h"
#include "suite.h"

#include <time.h>
#include <unistd.h>

static struct prof_yields yields;

static void set(int64_t waits, int64_t others, int64_t now)
{
	const struct prof_usage_switches switches = {waits, others};

	prof_yields_set(&yields, &switches, now);
}

START_TEST(the_part_is_of_the_last_switches)
{
	yields = (struct prof_yields){0};
	ck_assert_double_eq(prof_yields_part(&yields), 1);
	/* What was before it was looked at does not count. */
	set(5, 100000, 1);
	ck_assert_double_eq(prof_yields_part(&yields), 1);
	set(65, 100040, 2);
	ck_assert_double_eq(prof_yields_part(&yields), 0.6);
	set(65, 100140, 3);
	ck_assert_double_eq(prof_yields_part(&yields), 0);
}
END_TEST

START_TEST(few_switches_show_nothing_alone)
{
	yields = (struct prof_yields){0};
	set(0, 0, 1);
	set(1, 1, 2);
	ck_assert_double_eq(prof_yields_part(&yields), 1);
	set(30, 10, 3);
	ck_assert_double_eq(prof_yields_part(&yields), 0.75);
}
END_TEST

START_TEST(a_thread_that_sleeps_waits)
{
	const struct timespec nap = {.tv_nsec = 1000};
	int64_t now = prof_clock();

	yields = (struct prof_yields){0};
	prof_yields_look(&yields, getpid(), gettid(), now);
	for (int i = 0; i < 200; i++)
		nanosleep(&nap, NULL);
	/* It was read just now. */
	prof_yields_look(&yields, getpid(), gettid(), now + 1);
	ck_assert(!yields.known);
	prof_yields_look(&yields, getpid(), gettid(), now + PROF_NS_PER_SECOND);
	ck_assert(yields.known);
	ck_assert_double_gt(prof_yields_part(&yields), 0.3);
}
END_TEST

START_TEST(a_thread_that_is_gone_tells_nothing)
{
	yields = (struct prof_yields){0};
	prof_yields_look(&yields, getpid(), 1, 5);
	ck_assert_int_eq(yields.read, 0);
}
END_TEST

RUN_TESTS("yields", the_part_is_of_the_last_switches, few_switches_show_nothing_alone,
	a_thread_that_sleeps_waits, a_thread_that_is_gone_tells_nothing)
