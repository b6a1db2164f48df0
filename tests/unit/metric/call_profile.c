/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/call_profile.h"

#include "metric/call_counts.h"
#include "metric/functions.h"
#include "metric/metric.h"
#include "metric_program.h"

/* main calls f 3 times and g once, f calls g twice, and itself 5 times. */
static struct prof_experiment *create(void)
{
	struct prof_experiment *experiment;
	uint32_t module;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/prog", "", &module));
	uint32_t main_ = program_frame(experiment, module, 0x1000, "main", "a.c", 1, NULL);
	uint32_t f = program_frame(experiment, module, 0x2000, "f", "a.c", 1, NULL);
	uint32_t g = program_frame(experiment, module, 0x3000, "g", "a.c", 1, NULL);
	const struct prof_arc rows[] = {
		{1, f, main_, 3, PROF_ARC_CALLS},
		{2, g, main_, 1, PROF_ARC_CALLS},
		{3, g, f, 2, PROF_ARC_CALLS},
		{4, f, f, 5, PROF_ARC_CALLS},
	};
	for (size_t i = 0; i < PROF_COUNT(rows); i++)
		ck_assert_ok(prof_experiment_arc(experiment, &rows[i]));
	return experiment;
}

static const struct prof_metric *find_metric(const char *name)
{
	const struct prof_metric *metric = prof_metrics;

	while (strcmp(metric->name, name) != 0)
		metric++;
	return metric;
}

static void check_function(const struct prof_functions *functions, uint32_t function,
	int64_t exclusive, int64_t inclusive)
{
	ck_assert(functions->exclusive[function] == prof_value_of(exclusive));
	ck_assert(functions->inclusive[function] == prof_value_of(inclusive));
}

START_TEST(each_call_is_a_stack_of_two)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	AUTO_CALL_COUNTS struct prof_call_counts calls = {0};
	AUTO_ITEMS struct prof_items items;
	struct prof_profile *profile;
	struct prof_functions *functions;

	ck_assert(prof_call_profile_exists(experiment, find_metric("calls")));
	prof_items_init(&items, experiment, PROF_KIND_FUNCTIONS, true);
	ck_assert_ok(prof_call_counts_init(&calls, experiment, true));
	ck_assert_ok(prof_call_profile_create(&calls, &items, find_metric("calls"), &profile));
	prof_profile_check(profile);
	ck_assert(profile->inclusive[0] == prof_value_of(11));
	ck_assert_uint_eq(profile->tree.nodes.count, 7);

	ck_assert_ok(prof_functions_create(profile, &functions));
	check_function(functions, program_function(experiment, "main", 1), 0, 4);
	check_function(functions, program_function(experiment, "f", 1), 8, 10);
	check_function(functions, program_function(experiment, "g", 1), 3, 3);
	prof_functions_destroy(functions);
	prof_profile_destroy(profile);
}
END_TEST

START_TEST(other_metrics_are_of_samples)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	struct prof_experiment *none;

	ck_assert(!prof_call_profile_exists(experiment, find_metric("cpu")));
	ck_assert(!prof_call_profile_exists(experiment, find_metric("inside")));
	ck_assert_ok(prof_experiment_create(&none));
	ck_assert(!prof_call_profile_exists(none, find_metric("calls")));
	prof_experiment_destroy(none);
}
END_TEST

RUN_TESTS("call_profile", each_call_is_a_stack_of_two, other_metrics_are_of_samples)
