/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/short_work.h"

#include "suite.h"

enum { MS = 1000000 };

static const struct prof_short_work nothing;

/* So many ms of CPU time, of which BRIEF were in short runs. */
static void add(struct prof_short_work *share, int64_t cpu, int64_t brief)
{
	prof_short_work_add(share, &(struct prof_runs){.cpu = cpu * MS, .brief = brief * MS});
}

static bool needs_timer(const struct prof_short_work *share)
{
	return prof_short_work_needs_timer(share, &nothing);
}

START_TEST(short_runs_need_timers)
{
	struct prof_short_work share = {0};

	for (int i = 0; i < 20; i++)
		add(&share, 5, 5);
	ck_assert(needs_timer(&share));
}
END_TEST

START_TEST(a_fifth_of_the_cpu_time_is_much)
{
	struct prof_short_work share = {0};

	for (int i = 0; i < 1000; i++) {
		add(&share, 100, 19);
		ck_assert(!needs_timer(&share));
	}
	for (int i = 0; i < 10; i++)
		add(&share, 100, 21);
	ck_assert(needs_timer(&share));
}
END_TEST

START_TEST(long_work_never_does)
{
	struct prof_short_work share = {0};

	for (int i = 0; i < 1000; i++) {
		add(&share, 4, 0);
		ck_assert(!needs_timer(&share));
	}
}
END_TEST

START_TEST(little_cpu_time_proves_nothing)
{
	struct prof_short_work share = {0};

	add(&share, 49, 49);
	ck_assert(!needs_timer(&share));
	add(&share, 1, 1);
	ck_assert(needs_timer(&share));
}
END_TEST

START_TEST(what_changes_little_stays)
{
	struct prof_short_work share = {0};

	add(&share, 100, 30);
	for (int i = 0; i < 100; i++) {
		add(&share, 10, 1 + i % 2);
		ck_assert(needs_timer(&share));
	}
	for (int i = 0; i < 100; i++)
		add(&share, 10, 0);
	for (int i = 0; i < 100; i++) {
		add(&share, 10, 1 + i % 2);
		ck_assert(!needs_timer(&share));
	}
}
END_TEST

/* How many ms of CPU time it takes until SHARE needs a timer, or does not, while PERCENT of it is
 * in short runs. */
static int64_t until(struct prof_short_work *share, bool needs, int64_t percent)
{
	int64_t took = 0;

	for (; needs_timer(share) != needs; took += 10)
		prof_short_work_add(share,
			&(struct prof_runs){.cpu = 10 * MS, .brief = 10 * MS / 100 * percent});
	return took;
}

START_TEST(what_has_changed_is_noticed_soon)
{
	struct prof_short_work share = {0};

	add(&share, 1000000, 1000000);
	int64_t took = until(&share, false, 0);
	ck_assert_int_gt(took, 100);
	ck_assert_int_lt(took, 500);
	add(&share, 1000000, 0);
	took = until(&share, true, 100);
	ck_assert_int_ge(took, 20);
	ck_assert_int_lt(took, 100);
}
END_TEST

START_TEST(a_young_thread_is_like_the_others)
{
	struct prof_short_work process = {0}, thread = {0};

	add(&process, 500, 500);
	ck_assert(prof_short_work_needs_timer(&thread, &process));
	add(&thread, 49, 0);
	ck_assert(prof_short_work_needs_timer(&thread, &process));
	add(&thread, 1, 0);
	ck_assert(!prof_short_work_needs_timer(&thread, &process));
}
END_TEST

/* EVIDENCE of 10 ms of CPU time in RUNS short ones, of which so many end because the thread waits.
 */
static struct prof_runs judge(struct prof_short_evidence *evidence, uint64_t runs, int64_t waits)
{
	int64_t before = evidence->waits;

	ck_assert(!prof_short_evidence_add(
		evidence, &(struct prof_runs){.cpu = 4 * MS, .brief = 4 * MS, .count = runs / 2}));
	ck_assert(prof_short_evidence_add(
		evidence, &(struct prof_runs){.cpu = 6 * MS, .brief = 6 * MS, .count = runs / 2}));
	return prof_short_evidence_judge(evidence, before + waits);
}

START_TEST(what_came_before_is_no_evidence)
{
	struct prof_short_evidence evidence = {0};

	ck_assert(prof_short_evidence_add(
		&evidence, &(struct prof_runs){.cpu = MS, .brief = MS, .count = 100}));
	struct prof_runs runs = prof_short_evidence_judge(&evidence, 1000);
	ck_assert_int_eq(runs.cpu, 0);
	ck_assert_int_eq(runs.brief, 0);
	runs = judge(&evidence, 200, 200);
	ck_assert_int_eq(runs.cpu, 10 * MS);
	ck_assert_int_eq(runs.brief, 10 * MS);
}
END_TEST

START_TEST(work_that_others_interrupt_is_not_short)
{
	struct prof_short_evidence evidence = {.begun = true};

	ck_assert_int_eq(judge(&evidence, 200, 0).brief, 0);
	ck_assert_int_eq(judge(&evidence, 200, 15).brief, 0);
	/* More stops than waits: both were counted a moment apart. */
	struct prof_runs runs = judge(&evidence, 200, -1);
	ck_assert_int_eq(runs.brief, 0);
	ck_assert_int_eq(runs.cpu, 10 * MS);
	/* Those that end by waits are short all the same, or are most of them. */
	ck_assert_int_eq(judge(&evidence, 1000, 30).brief, 10 * MS);
	ck_assert_int_eq(judge(&evidence, 100, 60).brief, 10 * MS);
}
END_TEST

RUN_TESTS("short work", short_runs_need_timers, a_fifth_of_the_cpu_time_is_much,
	long_work_never_does, little_cpu_time_proves_nothing, what_changes_little_stays,
	what_has_changed_is_noticed_soon, a_young_thread_is_like_the_others,
	what_came_before_is_no_evidence, work_that_others_interrupt_is_not_short)
