/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/arcs.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/merge.h"
#include "suite.h"

#include <string.h>

/* The frame of the function NAME. */
static uint32_t frame_of(struct prof_experiment *experiment, const char *name)
{
	uint32_t function, frame;

	ck_assert_ok(prof_experiment_function(experiment, name, strlen(name), 0, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	return frame;
}

static struct prof_experiment *make(void)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	return experiment;
}

/* Adds CALLS from CALLER, or nobody, to CALLEE that have cost SAMPLES and TIME. */
static void add_cost(struct prof_experiment *experiment, const char *caller, const char *callee,
	uint64_t calls, int samples, int time)
{
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(samples),
		[PROF_QUANTITY_SPENT + PROF_STATE_USER] = prof_value_of(time)};

	ck_assert_ok(prof_experiment_arc_cost(experiment,
		caller ? frame_of(experiment, caller) : PROF_NONE, frame_of(experiment, callee),
		calls, values));
}

START_TEST(costs_come_back_as_they_were)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	struct prof_arc_costs costs = {.experiment = experiment};

	ck_assert(!prof_arc_costs_next(&costs));
	add_cost(experiment, NULL, "main", 1, 7, 0);
	add_cost(experiment, "main", "f", 3, 0, 0);
	add_cost(experiment, "main", "f", 2, 4, 9);
	prof_experiment_check(experiment);
	ck_assert_uint_eq(prof_arc_costs_count(experiment), 3);
	ck_assert(prof_arc_costs_next(&costs));
	ck_assert_uint_eq(costs.caller, PROF_NONE);
	ck_assert(costs.values[PROF_QUANTITY_SAMPLES] == prof_value_of(7));
	ck_assert(prof_arc_costs_next(&costs));
	ck_assert_uint_eq(costs.caller, frame_of(experiment, "main"));
	ck_assert_uint_eq(costs.callee, frame_of(experiment, "f"));
	ck_assert_uint_eq(costs.calls, 3);
	ck_assert(!costs.values[PROF_QUANTITY_SAMPLES]);
	ck_assert(prof_arc_costs_next(&costs));
	ck_assert_uint_eq(costs.calls, 2);
	ck_assert(costs.values[PROF_QUANTITY_SPENT + PROF_STATE_USER] == prof_value_of(9));
	ck_assert(!prof_arc_costs_next(&costs));
}
END_TEST

START_TEST(what_has_costs_has_no_stacks)
{
	AUTO_EXPERIMENT struct prof_experiment *costs = make();
	AUTO_EXPERIMENT struct prof_experiment *counted = make();
	uint32_t frame = frame_of(counted, "f");
	const struct prof_arc begin = {1, frame, frame, 0, PROF_ARC_BEGIN};

	/* Be they 0. */
	add_cost(costs, "main", "f", 1, 0, 0);
	ck_assert_ok(prof_experiment_arc(counted, &begin));
	ck_assert(!(prof_experiment_has(costs) & PROF_HAS_STACKS));
	ck_assert(prof_experiment_has(counted) & PROF_HAS_STACKS);
	ck_assert_error(prof_experiment_merge(counted, costs, NULL), "callgrind");
}
END_TEST

START_TEST(sums_of_costs_have_all_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *one = make();
	AUTO_EXPERIMENT struct prof_experiment *other = make();

	add_cost(one, "main", "f", 1, 2, 0);
	add_cost(other, NULL, "g", 5, 1, 0);
	add_cost(other, "g", "main", 6, 3, 4);
	ck_assert_ok(prof_experiment_merge(one, other, NULL));
	prof_experiment_check(one);
	ck_assert_uint_eq(one->arcs.count, 3);
	struct prof_arc_costs costs = {.experiment = one};
	while (prof_arc_costs_next(&costs) && costs.calls != 6)
		continue;
	ck_assert_uint_eq(costs.caller, frame_of(one, "g"));
	ck_assert_uint_eq(costs.callee, frame_of(one, "main"));
	ck_assert(costs.values[PROF_QUANTITY_SPENT + PROF_STATE_USER] == prof_value_of(4));
}
END_TEST

START_TEST(rows_that_make_no_sense_are_told)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	uint32_t f = frame_of(experiment, "f"), g = frame_of(experiment, "g");
	const struct prof_arc bad[] = {
		{0, g + 1, f, 1, PROF_ARC_CALLS},
		{0, f, g + 1, 1, PROF_ARC_COST},
		{0, f, g, 0, PROF_ARC_PART},
		{0, f, f, 1, PROF_ARC_BEGIN},
		{0, f, g, 1, PROF_ARC_OUTERMOST},
		{0, f, g, UINT64_MAX, PROF_ARC_CALLS},
		{0, f, g, 1, PROF_ARC_KINDS},
	};
	const struct prof_arc plain = {0, f, g, 1, PROF_ARC_CALLS};

	for (size_t i = 0; i < PROF_COUNT(bad); i++)
		ck_assert_msg(!prof_arc_is_valid(experiment, &bad[i]), "%zu", i);
	add_cost(experiment, "f", "g", 1, 2, 0);
	ck_assert_ok(prof_experiment_arc(experiment, &plain));
	const struct prof_arc_value values[] = {
		{0, PROF_QUANTITY_SAMPLES, 1}, /* once more */
		{1, PROF_QUANTITY_SAMPLES, 1}, /* of an arc without costs */
		{2, PROF_QUANTITY_SAMPLES, 1}, /* of none */
		{0, PROF_QUANTITIES, 1},
		{0, PROF_QUANTITY_SPENT, -1},
		{0, PROF_QUANTITY_SPENT, PROF_VALUE_MOST + 1},
	};
	for (size_t i = 0; i < PROF_COUNT(values); i++)
		ck_assert_msg(!prof_arc_value_is_valid(experiment, &values[i]), "%zu", i);
	ck_assert(prof_arc_value_is_valid(
		experiment, &(struct prof_arc_value){0, PROF_QUANTITY_SPENT, 1}));
}
END_TEST

RUN_TESTS("arcs", costs_come_back_as_they_were, what_has_costs_has_no_stacks,
	sums_of_costs_have_all_calls, rows_that_make_no_sense_are_told)
