/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/lateness.h"

#include "suite.h"

/* Samples that are as late as ever, by chance a little more or less. */
static void learn(struct prof_lateness *lateness, int64_t late)
{
	for (int i = 0; i < 100; i++)
		ck_assert(!prof_lateness_judge(lateness, late + i % 5 * 500 - 1000, 1));
}

START_TEST(sample_is_due_in_a_switch_that_comes_ten_us_later)
{
	struct prof_lateness lateness = {0};

	learn(&lateness, 7000);
	ck_assert(prof_lateness_judge(&lateness, 17000, 1));
	ck_assert(prof_lateness_judge(&lateness, 20000, 1));
	ck_assert(!prof_lateness_judge(&lateness, 11000, 1));
	/* A few of them do not become what is usual. */
	for (int i = 0; i < 10; i++) {
		learn(&lateness, 7000);
		ck_assert(prof_lateness_judge(&lateness, 17000, 1));
	}
}
END_TEST

START_TEST(the_usual_lateness_grows_with_the_period)
{
	struct prof_lateness lateness = {0};

	learn(&lateness, 10000);
	ck_assert(!prof_lateness_judge(&lateness, 20000, 2));
	ck_assert(prof_lateness_judge(&lateness, 30000, 2));
	ck_assert(prof_lateness_judge(&lateness, 15000, 0.5));
	/* What short periods show is little. */
	for (int i = 0; i < 100; i++)
		prof_lateness_judge(&lateness, 5000, 0.01);
	ck_assert(!prof_lateness_judge(&lateness, 10000, 1));
}
END_TEST

START_TEST(what_is_much_too_late_has_another_reason)
{
	struct prof_lateness lateness = {0};

	learn(&lateness, 1000);
	ck_assert(!prof_lateness_judge(&lateness, 1000000, 1));
	ck_assert(!prof_lateness_judge(&lateness, -100000, 1));
	ck_assert(prof_lateness_judge(&lateness, 12000, 1));
}
END_TEST

START_TEST(the_first_samples_show_what_is_usual)
{
	struct prof_lateness lateness = {0};

	ck_assert(!prof_lateness_judge(&lateness, 17000, 1));
	for (int i = 0; i < 7; i++)
		ck_assert(!prof_lateness_judge(&lateness, 7000, 1));
	ck_assert(prof_lateness_judge(&lateness, 17000, 1));
}
END_TEST

START_TEST(another_lateness_becomes_usual)
{
	struct prof_lateness lateness = {0};

	learn(&lateness, 1000);
	/* As much later as a profiler that has begun makes them. */
	learn(&lateness, 40000);
	ck_assert(prof_lateness_judge(&lateness, 50000, 1));
	ck_assert(!prof_lateness_judge(&lateness, 41000, 1));
}
END_TEST

RUN_TESTS("lateness", sample_is_due_in_a_switch_that_comes_ten_us_later,
	the_usual_lateness_grows_with_the_period, what_is_much_too_late_has_another_reason,
	the_first_samples_show_what_is_usual, another_lateness_becomes_usual)
