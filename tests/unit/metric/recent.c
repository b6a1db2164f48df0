/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/recent.h"

#include "metric/filter.h"
#include "model/experiment.h"
#include "suite.h"

#include <stdlib.h>

static const int64_t SECOND = 1000000000;

enum { NEW_YEAR = 1767225600 }; /* 2026, at midnight, UTC */

/* A recording of an hour that began at half past twelve, to which a mark at its end is due. */
static struct prof_experiment *create(void)
{
	const struct prof_mark mark = {.time = 3600 * SECOND};
	struct prof_experiment *experiment;

	setenv("TZ", "UTC", 1);
	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->recording.date = NEW_YEAR + 12 * 3600 + 30 * 60;
	ck_assert_ok(prof_experiment_mark(experiment, &mark, "end"));
	return experiment;
}

/* With LAST and SINCE, which may be NULL, the past begins at SECONDS. */
static void check(const char *last, const char *since, int64_t seconds)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	const struct prof_filter filter = {
		{[PROF_CONDITION_LAST] = last, [PROF_CONDITION_SINCE] = since}};
	int64_t begin;

	ck_assert_ok(prof_recent_begin(experiment, &filter, &begin));
	ck_assert_int_eq(begin, seconds * SECOND);
}

static void refuse(const char *last, const char *since, const char *part)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	const struct prof_filter filter = {
		{[PROF_CONDITION_LAST] = last, [PROF_CONDITION_SINCE] = since}};
	int64_t begin;

	ck_assert_error(prof_recent_begin(experiment, &filter, &begin), part);
}

START_TEST(last_counts_from_the_end)
{
	check("10m", NULL, 3000);
	check("90", NULL, 3510);
	check("1h", NULL, 0);
	check("2h", NULL, -3600);
}
END_TEST

START_TEST(since_counts_from_the_start)
{
	check(NULL, "90s", 90);
	check(NULL, "0.5h", 1800);
}
END_TEST

START_TEST(time_of_day_is_the_last_one)
{
	check(NULL, "13:00", 1800);
	check(NULL, "12:30:05", 5);
	check(NULL, "13:30", 3600);
	/* That was yesterday. */
	check(NULL, "13:31", 3600 + 60 - 24 * 3600);
}
END_TEST

START_TEST(both_must_hold)
{
	check("10m", "90s", 3000);
	check("59m", "90s", 90);
}
END_TEST

START_TEST(neither_is_all)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	int64_t begin;

	ck_assert_ok(prof_recent_begin(experiment, &(struct prof_filter){{0}}, &begin));
	ck_assert_int_eq(begin, INT64_MIN);
}
END_TEST

START_TEST(what_is_no_time_is_refused)
{
	static const char *const times[] = {"", "x", "-5s", "5s-", "1d", "10m5s", "1e3"};
	static const char *const clocks[] = {
		":", "14:", "24:00", "12:60", "12:30:60", "12:30:", "1:30", "12:30:05x", "012:30"};

	for (size_t i = 0; i < PROF_COUNT(times); i++)
		refuse(times[i], NULL, "A time is written as in");
	for (size_t i = 0; i < PROF_COUNT(clocks); i++)
		refuse(NULL, clocks[i], "A time of day is written as in");
	refuse(NULL, "1d", "No mark is labelled \"1d\"");
}
END_TEST

START_TEST(without_a_date_there_is_no_time_of_day)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	const struct prof_filter filter = {{[PROF_CONDITION_SINCE] = "12:00"}};
	int64_t begin;

	experiment->recording.date = 0;
	ck_assert_error(prof_recent_begin(experiment, &filter, &begin), "has no date");
}
END_TEST

RUN_TESTS("recent", last_counts_from_the_end, since_counts_from_the_start,
	time_of_day_is_the_last_one, both_must_hold, neither_is_all, what_is_no_time_is_refused,
	without_a_date_there_is_no_time_of_day)
