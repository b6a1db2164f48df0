/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/stops.h"

#include "metric/filter.h"
#include "metric/recent.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "suite.h"

#include <stdio.h>

static struct prof_experiment *experiment;

/* Adds a mark at TIME, until which the program has run for RUNNING. */
static void mark(enum prof_mark_kind kind, int64_t time, int64_t running)
{
	struct prof_mark made = {.kind = kind, .time = time};

	prof_usage_clear(&made.usage);
	made.usage.figures[PROF_USAGE_RUNNING] = running;
	ck_assert_ok(prof_experiment_mark(experiment, &made, prof_mark_names[kind]));
}

/* A session that stands at its second stop; the program has marked itself behind the first. */
static void start(void)
{
	ck_assert_ok(prof_experiment_create(&experiment));
	mark(PROF_MARK_START, 10, 0);
	mark(PROF_MARK_STOP, 100, 50);
	mark(PROF_MARK_PROGRAM, 150, 70);
	mark(PROF_MARK_STOP, 200, 90);
}

/* Since NUMBER stops ago is since TIME. */
static void check(uint64_t number, int64_t time)
{
	struct prof_stop_span stretch;

	ck_assert_ok(prof_stops_since(experiment, number, &stretch));
	ck_assert_int_eq(stretch.begin->time, time);
}

static void refuse(uint64_t number, const char *part)
{
	struct prof_stop_span stretch;

	ck_assert_error(prof_stops_since(experiment, number, &stretch), part);
}

/* --since=TEXT is since TIME. */
static void check_filter(const char *text, int64_t time)
{
	const struct prof_filter filter = {{[PROF_CONDITION_SINCE] = text}};
	int64_t begin;

	ck_assert_ok(prof_recent_begin(experiment, &filter, &begin));
	ck_assert_int_eq(begin, time);
}

static void refuse_filter(const char *text, const char *part)
{
	const struct prof_filter filter = {{[PROF_CONDITION_SINCE] = text}};
	int64_t begin;

	ck_assert_error(prof_recent_begin(experiment, &filter, &begin), part);
}

START_TEST(at_a_stop_the_stop_before_is_the_last)
{
	start();
	ck_assert(!prof_stops_ran(experiment));
	check(0, 200);
	check(1, 100);
	check(2, 10);
	refuse(3, "the recording began 2 stops ago");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(behind_a_stop_it_is_the_last)
{
	start();
	mark(PROF_MARK_PERIOD, 300, 95);
	ck_assert(prof_stops_ran(experiment));
	check(0, 200);
	check(1, 200);
	check(3, 10);
	refuse(4, "3 stops ago");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(marks_while_it_stands_change_nothing)
{
	start();
	mark(PROF_MARK_ASKED, 250, 90);
	mark(PROF_MARK_END, 300, 90);
	check(1, 100);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(without_stops_nothing_is_found)
{
	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert(!prof_stops_ran(experiment));
	refuse(1, "mark-stops");
	mark(PROF_MARK_START, 10, 0);
	refuse(1, "has not run");
	mark(PROF_MARK_PERIOD, 20, 10);
	check(1, 10);
	refuse(2, "1 stop ago");
	prof_experiment_destroy(experiment);
}
END_TEST

/* A sample at the time of a mark is of the time before. */
START_TEST(filter_begins_behind_the_mark)
{
	start();
	check_filter("stop", 101);
	check_filter("stop:1", 101);
	check_filter("stop:2", 11);
	check_filter("program", 151);
	refuse_filter("stop:3", "2 stops ago");
	refuse_filter("stop:", "No mark is labelled \"stop:\"");
	refuse_filter("stop:1-2", "No mark is labelled");
	refuse_filter("stop:1,2", "No mark is labelled");
	refuse_filter("stops", "No mark is labelled");
	refuse_filter("", "No mark is labelled");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(last_mark_of_a_label_counts)
{
	start();
	mark(PROF_MARK_PROGRAM, 300, 95);
	check_filter("program", 301);
	check_filter("stop:1", 201);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("stops", at_a_stop_the_stop_before_is_the_last, behind_a_stop_it_is_the_last,
	marks_while_it_stands_change_nothing, without_stops_nothing_is_found,
	filter_begins_behind_the_mark, last_mark_of_a_label_counts)
