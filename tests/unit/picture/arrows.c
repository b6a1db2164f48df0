/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/arrows.h"

#include "base/map.h"
#include "model/experiment.h"
#include "operations.h"
#include "picture/chart.h"
#include "report/sheet.h"
#include "suite.h"

static struct prof_experiment *experiment;

/* Two ranks, of which each message takes longer than the one before. */
static void exchange(size_t count)
{
	int64_t time = 0;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int64_t rank = 0; rank < 2; rank++) {
		uint32_t thread;
		ck_assert_ok(prof_experiment_thread(experiment, rank, "", &thread));
		operate_init(rank);
	}
	for (size_t i = 0; i < count; i++, time += (int64_t)i + 1) {
		operate_message(PROF_OPERATION_SEND, 0, 1, time, time);
		operate_message(PROF_OPERATION_RECEIVE, 1, 0, time, time + (int64_t)i + 1);
	}
	experiment->operations.items = operations;
	experiment->operations.count = operation_count;
}

static void find(struct prof_chart *chart, size_t lanes)
{
	static struct prof_lane all[] = {{0, 3}, {1, 9}};
	const struct prof_sheet sheet = {.experiment = experiment};

	*chart = (struct prof_chart){.timed = true, .begin = 0, .span = 10};
	chart->lanes.items = all;
	chart->lanes.count = lanes;
	ck_assert_ok(prof_arrows_find(chart, &sheet));
	chart->lanes.items = NULL;
	experiment->operations.items = NULL;
	prof_experiment_destroy(experiment);
}

START_TEST(a_message_leads_from_lane_to_lane)
{
	AUTO_CHART struct prof_chart chart;

	exchange(3);
	find(&chart, 2);
	ck_assert_uint_eq(chart.messages, 3);
	ck_assert_uint_eq(chart.arrows.count, 3);
	/* The longest first. */
	const struct prof_arrow *arrow = &chart.arrows.items[0];
	ck_assert_int_eq(arrow->length, 3);
	ck_assert_uint_eq(arrow->from, 3);
	ck_assert_uint_eq(arrow->to, 9);
	ck_assert_double_eq_tol(arrow->begin, 0.5, 1e-9);
	ck_assert_double_eq_tol(arrow->end, 0.8, 1e-9);
	ck_assert_int_eq(operations[arrow->send].kind, PROF_OPERATION_SEND);
}
END_TEST

START_TEST(without_both_lanes_there_is_no_arrow)
{
	AUTO_CHART struct prof_chart chart;

	exchange(3);
	find(&chart, 1);
	ck_assert_uint_eq(chart.messages, 0);
	ck_assert_uint_eq(chart.arrows.count, 0);
}
END_TEST

START_TEST(the_longest_of_too_many_are_kept)
{
	AUTO_CHART struct prof_chart chart;

	exchange(PROF_ARROWS_MOST + 5);
	find(&chart, 2);
	ck_assert_uint_eq(chart.messages, PROF_ARROWS_MOST + 5);
	ck_assert_uint_eq(chart.arrows.count, PROF_ARROWS_MOST);
	ck_assert_int_eq(chart.arrows.items[PROF_ARROWS_MOST - 1].length, 6);
}
END_TEST

RUN_TESTS("arrows", a_message_leads_from_lane_to_lane, without_both_lanes_there_is_no_arrow,
	the_longest_of_too_many_are_kept)
