/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/selection.h"

#include "metric/filter.h"
#include "metric/metric.h"
#include "metric_program.h"

/* Which samples of the program pass, as a word: "yn-" and so on. */
static void check(enum prof_condition condition, const char *value, const char *expected)
{
	struct prof_experiment *experiment = program_create();
	struct prof_filter filter = {0};
	struct prof_selection *selection;
	char passed[8] = "";

	filter.values[condition] = value;
	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	ck_assert_ptr_nonnull(selection);
	size_t count = 0;
	for (size_t i = 0; i < experiment->samples.count; i++) {
		bool has = prof_selection_has(selection, i);
		passed[i] = has ? 'y' : 'n';
		count += has;
	}
	ck_assert_str_eq(passed, expected);
	ck_assert_uint_eq(selection->count, count);
	/* Later samples were not asked about. */
	ck_assert(!prof_selection_has(selection, experiment->samples.count));
	prof_selection_destroy(selection);
	prof_experiment_destroy(experiment);
}

static void refuse(enum prof_condition condition, const char *value, const char *part)
{
	struct prof_experiment *experiment = program_create();
	struct prof_filter filter = {0};
	struct prof_selection *selection;

	filter.values[condition] = value;
	ck_assert_error(prof_selection_create(experiment, &filter, &selection), part);
	ck_assert_ptr_null(selection);
	prof_experiment_destroy(experiment);
}

START_TEST(threads_are_known_by_id_and_name)
{
	check(PROF_CONDITION_THREAD, "11", "ynyn");
	check(PROF_CONDITION_THREAD, "worker", "nyny");
	check(PROF_CONDITION_THREAD, "main,12", "yyyy");
	refuse(PROF_CONDITION_THREAD, "11,13", "no thread \"13\"");
	refuse(PROF_CONDITION_THREAD, "", "no thread \"\"");
}
END_TEST

START_TEST(times_are_since_the_start)
{
	check(PROF_CONDITION_TIME, "1s-2s", "ynnn");
	check(PROF_CONDITION_TIME, "-1500ms,4s-", "ynny");
	refuse(PROF_CONDITION_TIME, "3s-2s", "holds no time: give the earlier end first");
}
END_TEST

START_TEST(recent_past_is_that_of_the_recording)
{
	check(PROF_CONDITION_SINCE, "2s", "nyyy");
	check(PROF_CONDITION_LAST, "1s", "nnyy");
	refuse(PROF_CONDITION_LAST, "soon", "\"soon\" is not");
}
END_TEST

START_TEST(states_are_what_threads_did)
{
	check(PROF_CONDITION_STATE, "user", "ynny");
	check(PROF_CONDITION_STATE, "lock,system", "nyyn");
	refuse(PROF_CONDITION_STATE, "lock,idle", "no state \"idle\"");
}
END_TEST

/* What METRIC has, in seconds or samples, in STATES of the program. */
static int64_t sum_in(const char *metric, const char *states)
{
	struct prof_experiment *experiment = program_create();
	struct prof_filter filter = {.values[PROF_CONDITION_STATE] = states};
	/* Another, met in user mode, that has waited before: for a CPU for 4 s, and for pages. */
	struct prof_sample sample = {.state = PROF_STATE_USER};
	prof_value carried[PROF_QUANTITIES] = {
		[PROF_QUANTITY_SAMPLES] = prof_value_of(2),
		[PROF_QUANTITY_SPENT + PROF_STATE_USER] =
			prof_value_of(2 * (int64_t)PROGRAM_SECOND),
		[PROF_QUANTITY_SPENT + PROF_STATE_RUNQUEUE] =
			prof_value_of(4 * (int64_t)PROGRAM_SECOND),
		[PROF_QUANTITY_SPENT + PROF_STATE_FAULT] =
			prof_value_of(8 * (int64_t)PROGRAM_SECOND),
		[PROF_QUANTITY_SPENT + PROF_STATE_TEXT] =
			prof_value_of(16 * (int64_t)PROGRAM_SECOND),
	};
	struct prof_metric found;
	struct prof_selection *selection;
	AUTO_FREE prof_value *values = NULL;
	prof_value sum = 0;

	ck_assert_ok(prof_experiment_sample(experiment, &sample, carried));
	ck_assert_ok(prof_metric_find(experiment, metric, &found));
	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	ck_assert_ok(prof_metric_by_thread(experiment, &found, selection, NULL, &values));
	for (size_t i = 0; i < experiment->threads.count; i++)
		sum += values[i];
	prof_value one = 0;
	for (size_t i = 0; i < experiment->samples.count; i++) {
		const struct prof_sample_row row = row_at(experiment, i);
		one += prof_metric_of(experiment, &found, selection, &row);
	}
	ck_assert(one == sum);
	prof_selection_destroy(selection);
	prof_experiment_destroy(experiment);
	return (int64_t)(sum / prof_value_of(found.units));
}

START_TEST(time_counts_in_the_state_that_it_was_spent_in)
{
	ck_assert_int_eq(sum_in("wall", "user"), 13);
	ck_assert_int_eq(sum_in("wall", "runqueue"), 4);
	ck_assert_int_eq(sum_in("wall", "user,runqueue"), 17);
	ck_assert_int_eq(sum_in("cpu", "runqueue"), 0);
	ck_assert_int_eq(sum_in("cpu", "system,lock"), 5);
	ck_assert_int_eq(sum_in("wall", "text-fault"), 16);
	ck_assert_int_eq(sum_in("wall", "data-fault"), 8);
	ck_assert_int_eq(sum_in("wall", "fault"), 24);
	/* Samples belong to the state that the thread was met in. */
	ck_assert_int_eq(sum_in("samples", "user"), 13);
	ck_assert_int_eq(sum_in("samples", "runqueue"), 0);
}
END_TEST

START_TEST(objects_are_anywhere_in_the_stack)
{
	check(PROF_CONDITION_OBJECT, "/lib/libq.so", "ynnn");
	check(PROF_CONDITION_OBJECT, "libq.so", "ynnn");
	check(PROF_CONDITION_OBJECT, "prog", "yyyn");
	refuse(PROF_CONDITION_OBJECT, "libq", "no load object \"libq\"");
}
END_TEST

START_TEST(functions_are_anywhere_in_the_stack)
{
	check(PROF_CONDITION_FUNCTION, "main", "yyyn");
	check(PROF_CONDITION_FUNCTION, "qsort", "ynnn");
	check(PROF_CONDITION_FUNCTION, "work", "nynn");
	check(PROF_CONDITION_FUNCTION, "inl", "nynn");
	refuse(PROF_CONDITION_FUNCTION, "mai", "no function \"mai\"");
}
END_TEST

START_TEST(leaf_is_the_innermost_function)
{
	check(PROF_CONDITION_LEAF, "compare", "ynnn");
	check(PROF_CONDITION_LEAF, "inl", "nynn");
	check(PROF_CONDITION_LEAF, "work", "nnnn");
	check(PROF_CONDITION_LEAF, "main", "nnnn");
	check(PROF_CONDITION_LEAF, "qsort", "nnnn");
}
END_TEST

START_TEST(stacks_with_a_function_can_be_left_out)
{
	check(PROF_CONDITION_NOT_FUNCTION, "qsort", "nyyy");
	check(PROF_CONDITION_NOT_FUNCTION, "inl", "ynyy");
	refuse(PROF_CONDITION_NOT_FUNCTION, "no\tsuch", "no function \"no\tsuch\"");
}
END_TEST

/* See metric_names.c for what names stand for. */
START_TEST(a_name_may_stand_for_several_functions)
{
	static const struct {
		enum prof_condition condition;
		const char *value, *expected;
	} rows[] = {
		{PROF_CONDITION_FUNCTION, "run", "yyn"},
		{PROF_CONDITION_FUNCTION, "app::run(char)", "nyn"},
		{PROF_CONDITION_LEAF, "app::run", "nyn"},
		{PROF_CONDITION_NOT_FUNCTION, "app::run", "nny"},
		{PROF_CONDITION_FUNCTION, "main", "nny"},
	};
	static const char *const names[] = {"app::run(int)", "app::run(char)", "main"};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		struct prof_filter filter = {0};
		struct prof_selection *selection;
		uint32_t frames[PROF_COUNT(names)], function;
		ck_assert_ok(prof_experiment_create(&experiment));
		for (size_t k = 0; k < PROF_COUNT(names); k++) {
			function = program_function(experiment, names[k], 0);
			ck_assert_ok(prof_experiment_frame_of(experiment, function, &frames[k]));
		}
		/* app::run(int) calls app::main(int), which "main" is not: the others are alone. */
		function = program_function(experiment, "app::main(int)", 0);
		uint32_t inner[] = {frames[0], 0};
		ck_assert_ok(prof_experiment_frame_of(experiment, function, &inner[1]));
		ck_assert_ok(prof_experiment_thread(experiment, 1, "t", &function));
		program_sample(experiment, inner, 2, 0, PROF_STATE_USER, 1, 1, 1);
		program_sample(experiment, &frames[1], 1, 0, PROF_STATE_USER, 2, 1, 1);
		program_sample(experiment, &frames[2], 1, 0, PROF_STATE_USER, 3, 1, 1);
		filter.values[rows[i].condition] = rows[i].value;
		ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
		for (size_t k = 0; k < 3; k++)
			ck_assert_int_eq(
				prof_selection_has(selection, k), rows[i].expected[k] == 'y');
		prof_selection_destroy(selection);
	}
}
END_TEST

START_TEST(all_conditions_must_be_met)
{
	struct prof_experiment *experiment = program_create();
	struct prof_filter filter = {{
		[PROF_CONDITION_FUNCTION] = "main",
		[PROF_CONDITION_NOT_FUNCTION] = "qsort",
		[PROF_CONDITION_THREAD] = "11",
	}};
	struct prof_selection *selection;
	AUTO_TEXT struct prof_text text = {0};

	ck_assert(prof_filter_is_set(&filter));
	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	ck_assert_uint_eq(selection->count, 1);
	ck_assert(prof_selection_has(selection, 2));
	prof_filter_print(&filter, &text);
	ck_assert_str_eq(prof_text_get(&text), "--thread=11 --function=main --not-function=qsort");
	prof_selection_destroy(selection);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(without_a_condition_all_pass)
{
	struct prof_experiment *experiment = program_create();
	struct prof_filter filter = {0};
	struct prof_selection *selection;

	ck_assert(!prof_filter_is_set(&filter));
	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	ck_assert_ptr_null(selection);
	ck_assert(prof_selection_has(selection, 3));
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("selection", a_name_may_stand_for_several_functions, threads_are_known_by_id_and_name,
	times_are_since_the_start, recent_past_is_that_of_the_recording,
	states_are_what_threads_did, time_counts_in_the_state_that_it_was_spent_in,
	objects_are_anywhere_in_the_stack, functions_are_anywhere_in_the_stack,
	leaf_is_the_innermost_function, stacks_with_a_function_can_be_left_out,
	all_conditions_must_be_met, without_a_condition_all_pass)
