/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counting calls costs, and who is called too often. */
#include "sampling/overhead.h"

#include "base/clock.h"
#include "suite.h"

#include <time.h>
#include <unistd.h>

enum { MS = 1000000 };

/* Uses NS of this thread's CPU time. */
static void work(int64_t ns)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * INT64_C(1000000000) + now.tv_nsec - begin.tv_nsec <
		ns);
}

/* A call of FUNCTION on another machine, for which the host has worked for half of COST ns. */
static void pay(struct prof_overhead *overhead, uint32_t function, int64_t cost)
{
	work(cost / 2);
	int64_t paid = prof_overhead_pay(overhead, function, 0, 0, prof_clock());
	ck_assert_int_ge(paid, cost / 2 * 2);
	ck_assert_int_le(paid, 2 * MS);
}

START_TEST(dearest_functions_are_refused_until_the_rest_is_cheap)
{
	struct prof_overhead overhead = {.limit = 0.1};

	prof_overhead_begin(&overhead, 1000);
	for (int i = 0; i < 10; i++) {
		pay(&overhead, 7, MS / 5);
		pay(&overhead, 8, 2 * MS);
		pay(&overhead, 9, MS);
	}
	/* 32 ms, or more: too early to tell; in 250 ms two are too much; and nothing is left. */
	ck_assert_uint_eq(prof_overhead_refuse(&overhead, 1000 + 249 * MS), PROF_NONE);
	ck_assert_uint_eq(prof_overhead_refuse(&overhead, 1000 + 250 * MS), 8);
	ck_assert_uint_eq(prof_overhead_refuse(&overhead, 1000 + 250 * MS), PROF_NONE);
	ck_assert_uint_eq(prof_overhead_refuse(&overhead, 1000 + 500 * MS), PROF_NONE);
	prof_overhead_deinit(&overhead);
}
END_TEST

START_TEST(time_that_stood_still_does_not_count)
{
	struct prof_overhead overhead = {.limit = 0.1};

	prof_overhead_begin(&overhead, 0);
	for (int i = 0; i < 20; i++)
		pay(&overhead, 1, 2 * MS);
	prof_overhead_begin(&overhead, 300 * MS);
	ck_assert_uint_eq(prof_overhead_refuse(&overhead, 600 * MS), PROF_NONE);
	prof_overhead_deinit(&overhead);
}
END_TEST

START_TEST(nobody_is_refused_without_a_limit)
{
	struct prof_overhead overhead = {.limit = 1};

	prof_overhead_begin(&overhead, 0);
	for (int i = 0; i < 5; i++)
		pay(&overhead, 1, 2 * MS);
	ck_assert_uint_eq(prof_overhead_refuse(&overhead, 300 * MS), PROF_NONE);
	prof_overhead_deinit(&overhead);
}
END_TEST

START_TEST(cost_lies_between_the_hosts_time_and_twice_that)
{
	struct prof_overhead overhead = {.limit = 0.1};

	prof_overhead_begin(&overhead, prof_clock());
	/* A thread that runs all the time, as this one, is never stopped: the host's time is left.
	 */
	prof_overhead_pay(&overhead, 1, getpid(), gettid(), prof_clock());
	work(MS / 2);
	int64_t cost = prof_overhead_pay(&overhead, 1, getpid(), gettid(), prof_clock());
	ck_assert_int_ge(cost, MS / 2);
	ck_assert_int_le(cost, 2 * MS);
	/* One that has slept for long has not been stopped for as long. */
	struct timespec nap = {0, 20 * MS};
	nanosleep(&nap, NULL);
	ck_assert_int_le(prof_overhead_pay(&overhead, 1, getpid(), gettid(), prof_clock()), 2 * MS);
	prof_overhead_deinit(&overhead);
}
END_TEST

START_TEST(many_threads_share_few_files)
{
	struct prof_overhead overhead = {.limit = 0.1};

	prof_overhead_begin(&overhead, 0);
	for (pid_t thread = 1; thread < 1000; thread++)
		ck_assert_int_ge(prof_overhead_pay(&overhead, 1, 1, thread, prof_clock()), 0);
	ck_assert_uint_le(overhead.threads.count, 64);
	prof_overhead_deinit(&overhead);
}
END_TEST

RUN_TESTS("overhead", dearest_functions_are_refused_until_the_rest_is_cheap,
	time_that_stood_still_does_not_count, nobody_is_refused_without_a_limit,
	cost_lies_between_the_hosts_time_and_twice_that, many_threads_share_few_files)
