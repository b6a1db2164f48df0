/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/arcs.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/single_calls.h"
#include "report/needs.h"
#include "suite.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct prof_experiment *make(void)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	return experiment;
}

static struct prof_experiment *make_calls(void)
{
	const prof_value values[PROF_QUANTITIES] = {0};
	const struct prof_single_call call = {.duration = 1};
	struct prof_experiment *experiment = make();
	struct prof_sample sample = {0};

	ck_assert_ok(prof_experiment_thread(experiment, 1, "main", &sample.thread));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	ck_assert_ok(prof_single_call_add(experiment, &call));
	return experiment;
}

static struct prof_experiment *make_gmon(void)
{
	struct prof_experiment *experiment = make();

	experiment->gmon.word = 8;
	return experiment;
}

static struct prof_experiment *make_costs(void)
{
	struct prof_experiment *experiment = make();
	const prof_value values[PROF_QUANTITIES] = {0};
	uint32_t function, callee;

	ck_assert_ok(prof_experiment_function(experiment, "f", 1, 0, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &callee));
	ck_assert_ok(prof_experiment_arc_cost(experiment, PROF_NONE, callee, 1, values));
	return experiment;
}

START_TEST(one_of_what_is_needed_is_enough)
{
	AUTO_EXPERIMENT struct prof_experiment *stacks = make();
	AUTO_EXPERIMENT struct prof_experiment *costs = make_costs();

	ck_assert_ok(prof_needs_check(stacks, PROF_HAS_STACKS, "It"));
	ck_assert_ok(prof_needs_check(stacks, PROF_HAS_GMON | PROF_HAS_COSTS, "It"));
	ck_assert_ok(prof_needs_check(costs, PROF_HAS_STACKS | PROF_HAS_COSTS, "It"));
	ck_assert_ok(prof_needs_check(costs, 0, NULL));
}
END_TEST

START_TEST(samples_are_no_single_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *calls = make_calls();
	AUTO_EXPERIMENT struct prof_experiment *stacks = make();
	AUTO_EXPERIMENT struct prof_experiment *gmon = make_gmon();

	ck_assert_ok(prof_needs_check(calls, PROF_HAS_CALLS, "It"));
	ck_assert_ok(prof_needs_check(calls, PROF_HAS_STACKS, "It"));
	ck_assert_error(prof_needs_check(stacks, PROF_HAS_CALLS, "prof-calls"),
		"prof-calls needs single calls with times, but this experiment has only stacks: "
		"samples are no calls, and lists of calls without times have no durations.  Use "
		"prof-callers FUNCTION, or load a list of calls and returns with times.");
	ck_assert_error(prof_needs_check(gmon, PROF_HAS_CALLS, "prof-calls"),
		"prof-calls needs single calls with times, but a gmon.out has only");
}
END_TEST

START_TEST(a_refusal_tells_needs_contents_and_the_way_out)
{
	AUTO_EXPERIMENT struct prof_experiment *gmon = make_gmon();

	ck_assert_error(prof_needs_check(gmon, PROF_HAS_STACKS | PROF_HAS_COSTS, "prof-x"),
		"prof-x needs stacks or costs of lines, but a gmon.out has only a histogram and counts of calls.  Use prof-gprof.");
}
END_TEST

/* All views that TEXT names, and no others, take EXPERIMENT. */
static void check_advice(const struct prof_experiment *experiment, const char *text)
{
	const char *advice = strstr(text, "Use ");

	ck_assert_ptr_nonnull(advice);
	for (size_t i = 0; prof_views[i]; i++) {
		char name[32];
		snprintf(name, sizeof name, "prof-%s", prof_views[i]->name);
		AUTO_ERROR struct prof_error *error =
			prof_needs_check(experiment, prof_views[i]->needs, name);
		if (strstr(advice, name))
			ck_assert_msg(!error, "%s", name);
	}
}

START_TEST(the_commands_that_it_names_are_not_refused)
{
	AUTO_EXPERIMENT struct prof_experiment *gmon = make_gmon();
	AUTO_EXPERIMENT struct prof_experiment *costs = make_costs();
	AUTO_ERROR struct prof_error *of_counts = prof_needs_check(gmon, PROF_HAS_STACKS, "It");
	AUTO_ERROR struct prof_error *of_costs = prof_needs_check(costs, PROF_HAS_STACKS, "It");

	check_advice(gmon, prof_error_message(of_counts));
	check_advice(costs, prof_error_message(of_costs));
}
END_TEST

RUN_TESTS("needs", one_of_what_is_needed_is_enough, samples_are_no_single_calls,
	a_refusal_tells_needs_contents_and_the_way_out, the_commands_that_it_names_are_not_refused)
