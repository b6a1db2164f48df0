/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile has in each state. */
#include "metric/states.h"

#include "metric/filter.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "metric_program.h"

/* The words of METRIC's states in all nodes of the program, FILTER being "" or a state. */
static void check(const char *metric_name, const char *state, const char *const *expected)
{
	struct prof_experiment *experiment = program_create();
	const struct prof_filter filter = {.values = {[PROF_CONDITION_STATE] = state}};
	struct prof_metric metric;
	struct prof_profile_request request = {.metric = &metric};
	struct prof_selection *selection = NULL;
	struct prof_profile *profile;
	struct prof_states states;

	ck_assert_ok(prof_metric_find(experiment, metric_name, &metric));
	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	request.selection = selection;
	ck_assert_ok(prof_profile_create(experiment, &request, NULL, &profile));
	ck_assert_ok(prof_states_init(&states, profile, selection, NULL));
	for (int i = 0; i < PROF_STATES; i++) {
		prof_value total = 0;
		char number[PROF_VALUE_TEXT];
		for (size_t j = 0; j < profile->tree.nodes.count; j++)
			total += states.self[i][j];
		ck_assert_str_eq(
			prof_value_print(total, profile->metric->units, number), expected[i]);
	}
	/* Each node has in all states together what it has at all. */
	for (size_t j = 0; j < profile->tree.nodes.count; j++) {
		prof_value sum = 0;
		for (int i = 0; i < PROF_STATES; i++)
			sum += states.self[i][j];
		ck_assert(sum == profile->self[j]);
	}
	prof_states_deinit(&states);
	prof_profile_destroy(profile);
	prof_selection_destroy(selection);
	prof_experiment_destroy(experiment);
}

START_TEST(samples_are_in_the_state_they_were_seen_in)
{
	check("samples", NULL, (const char *[]){"11", "5", "0", "0", "0", "0", "0"});
}
END_TEST

START_TEST(times_are_divided_as_they_were_accounted)
{
	check("wall", NULL, (const char *[]){"11", "5", "0", "7", "0", "0", "0"});
	check("cpu", NULL, (const char *[]){"11", "5", "0", "0", "0", "0", "0"});
	check("lock", NULL, (const char *[]){"0", "0", "0", "7", "0", "0", "0"});
}
END_TEST

START_TEST(only_what_is_selected_counts)
{
	check("wall", "lock", (const char *[]){"0", "0", "0", "7", "0", "0", "0"});
}
END_TEST

RUN_TESTS("states", samples_are_in_the_state_they_were_seen_in,
	times_are_divided_as_they_were_accounted, only_what_is_selected_counts)
