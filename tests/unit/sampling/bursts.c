/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/bursts.h"

#include "suite.h"
#include "target/procfs.h"

enum { US = 1000 };

/* The part in bursts. */
static int64_t count(struct prof_bursts *bursts, int64_t run, uint64_t slices)
{
	return prof_bursts_count(
		bursts, &(struct prof_schedstat){.run = run, .slices = slices}, PROF_BURST)
		.bursts;
}

START_TEST(short_runs_count)
{
	struct prof_bursts bursts = {0};

	ck_assert_int_eq(count(&bursts, 500 * US, 10), 500 * US);
	/* Nothing has happened since, then one run of 60 us. */
	ck_assert_int_eq(count(&bursts, 500 * US, 10), 0);
	ck_assert_int_eq(count(&bursts, 560 * US, 11), 60 * US);
}
END_TEST

START_TEST(long_runs_do_not)
{
	struct prof_bursts bursts = {0};

	ck_assert_int_eq(count(&bursts, 1000 * US, 10), 0);
	/* One that goes on and on. */
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(count(&bursts, (2000 + 1000 * i) * US, 11), 0);
}
END_TEST

START_TEST(beginning_of_a_run_belongs_to_the_next_count)
{
	struct prof_bursts bursts = {0};

	ck_assert_int_eq(count(&bursts, 50 * US, 1), 50 * US);
	ck_assert_int_eq(count(&bursts, 80 * US, 1), 0);
	ck_assert_int_eq(count(&bursts, 120 * US, 2), 70 * US);
}
END_TEST

START_TEST(what_came_before_does_not_count)
{
	struct prof_bursts bursts = {0};

	prof_bursts_restart(&bursts, &(struct prof_schedstat){.run = 900 * US, .slices = 100});
	ck_assert_int_eq(count(&bursts, 910 * US, 101), 10 * US);
	/* Another thread has the id now: one that ran for longer, and one that ran less. */
	ck_assert_int_eq(count(&bursts, 5000 * US, 3), 0);
	ck_assert_int_eq(count(&bursts, 5050 * US, 4), 50 * US);
	ck_assert_int_eq(count(&bursts, 20 * US, 1), 0);
}
END_TEST

START_TEST(all_runs_have_cpu_time)
{
	struct prof_bursts bursts = {0};

	struct prof_runs runs = prof_bursts_count(
		&bursts, &(struct prof_schedstat){.run = 900 * US, .slices = 2}, PROF_BURST);
	ck_assert_int_eq(runs.cpu, 900 * US);
	ck_assert_int_eq(runs.bursts, 0);
	ck_assert_int_eq(runs.brief, 900 * US);
	ck_assert_uint_eq(runs.count, 2);
	runs = prof_bursts_count(
		&bursts, &(struct prof_schedstat){.run = 950 * US, .slices = 3}, PROF_BURST);
	ck_assert_int_eq(runs.cpu, 50 * US);
	ck_assert_int_eq(runs.bursts, 50 * US);
	ck_assert_int_eq(runs.brief, 50 * US);
	ck_assert_uint_eq(runs.count, 1);
	runs = prof_bursts_count(
		&bursts, &(struct prof_schedstat){.run = 1850 * US, .slices = 6}, PROF_BURST);
	ck_assert_int_eq(runs.bursts, 0);
	ck_assert_int_eq(runs.brief, 900 * US);
}
END_TEST

START_TEST(stops_end_no_run)
{
	struct prof_bursts bursts = {0};

	/* A run of 150 us that is stopped four times. */
	for (int i = 0; i < 4; i++)
		prof_bursts_go_on(&bursts);
	ck_assert_int_eq(count(&bursts, 150 * US, 5), 0);
	/* It goes on, is stopped each 40 us, and is as long as before. */
	for (int i = 1; i <= 10; i++) {
		prof_bursts_go_on(&bursts);
		ck_assert_int_eq(count(&bursts, (150 + 40 * i) * US, 5 + (uint64_t)i), 0);
	}
}
END_TEST

START_TEST(a_burst_that_is_stopped_is_one)
{
	struct prof_bursts bursts = {0};

	prof_bursts_go_on(&bursts);
	ck_assert_int_eq(count(&bursts, 170 * US, 3), 170 * US);
	/* Now it waits for a CPU after the stop. */
	prof_bursts_go_on(&bursts);
	ck_assert_int_eq(count(&bursts, 170 * US, 3), 0);
	ck_assert_int_eq(count(&bursts, 250 * US, 5), 80 * US);
	ck_assert_int_eq(count(&bursts, 330 * US, 6), 80 * US);
}
END_TEST

/* A clock of the kernel's finds more than looks at threads do. */
START_TEST(what_is_a_burst_depends_on_what_finds_it)
{
	const struct prof_schedstat schedstat = {.run = 1000 * US, .slices = 20};
	struct prof_bursts looked = {0}, clocked = {0};

	ck_assert_int_eq(prof_bursts_count(&looked, &schedstat, PROF_BURST).bursts, 1000 * US);
	ck_assert_int_eq(prof_bursts_count(&clocked, &schedstat, PROF_BURST_CLOCKED).bursts, 0);
}
END_TEST

RUN_TESTS("bursts", short_runs_count, long_runs_do_not,
	beginning_of_a_run_belongs_to_the_next_count, what_came_before_does_not_count,
	all_runs_have_cpu_time, stops_end_no_run, a_burst_that_is_stopped_is_one,
	what_is_a_burst_depends_on_what_finds_it)
