/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counted calls by function. */
#include "metric/call_counts.h"

#include "metric_program.h"

/* A call in an inlined function, and one in code that is not resolved, of a function with a copy.
 */
static struct prof_experiment *create(void)
{
	struct prof_experiment *experiment;
	uint32_t module;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/prog", "", &module));
	uint32_t entry = program_frame(experiment, module, 0x1000, "inl", "a.c", 1, "work");
	uint32_t call = program_frame(experiment, module, 0x2000, "inl", "a.c", 1, "main");
	uint32_t unknown = program_frame(experiment, module, 0x3000, NULL, "", 0, NULL);
	uint32_t other = program_frame(experiment, module, 0x4000, "other", "a.c", 1, NULL);
	const struct prof_arc rows[] = {
		{1, entry, entry, 0, PROF_ARC_BEGIN},
		{2, entry, call, 3, PROF_ARC_CALLS},
		{3, entry, unknown, 4, PROF_ARC_CALLS},
		{4, other, entry, INT64_MAX, PROF_ARC_CALLS},
		{5, other, other, 0, PROF_ARC_PART},
		{6, other, entry, 1, PROF_ARC_CALLS},
	};
	for (size_t i = 0; i < PROF_COUNT(rows); i++)
		ck_assert_ok(prof_experiment_arc(experiment, &rows[i]));
	prof_experiment_check(experiment);
	return experiment;
}

static void assert_call(const struct prof_call_counts *calls, size_t number,
	struct prof_experiment *experiment, const char *caller, const char *callee, int64_t count)
{
	const struct prof_call_count *call = &calls->list.items[number];

	ck_assert_str_eq(prof_experiment_function_name(experiment, call->caller), caller);
	ck_assert_str_eq(prof_experiment_function_name(experiment, call->callee), callee);
	ck_assert(call->calls == prof_value_of(count));
}

/* Who calls is what the view has there; who is called has the code. */
static void check_names(bool inlined, const char *caller, const char *inside)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	AUTO_CALL_COUNTS struct prof_call_counts calls = {0};

	ck_assert_ok(prof_call_counts_init(&calls, experiment, inlined));
	ck_assert_uint_eq(calls.list.count, 4);
	assert_call(&calls, 0, experiment, caller, "work", 3);
	assert_call(&calls, 1, experiment, "<Unknown>", "work", 4);
	assert_call(&calls, 2, experiment, inside, "other", INT64_MAX);
	assert_call(&calls, 3, experiment, inside, "other", 1);
}

START_TEST(callers_are_those_of_the_view)
{
	check_names(true, "inl", "inl");
	check_names(false, "main", "work");
}
END_TEST

START_TEST(functions_are_known_whole_or_in_part)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	AUTO_CALL_COUNTS struct prof_call_counts calls = {0};

	ck_assert_ok(prof_call_counts_init(&calls, experiment, true));
	ck_assert_uint_eq(calls.functions.count, 2);
	ck_assert_int_eq(prof_call_counts_known(&calls, calls.functions.items[0]), PROF_KNOWN_ALL);
	ck_assert_int_eq(prof_call_counts_known(&calls, calls.functions.items[1]), PROF_KNOWN_PART);
	ck_assert_int_eq(prof_call_counts_known(&calls, program_function(experiment, "inl", 1)),
		PROF_KNOWN_NONE);
	ck_assert_int_eq(prof_call_counts_known(&calls, 1000), PROF_KNOWN_NONE);
}
END_TEST

START_TEST(nothing_counted_is_nothing)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_CALL_COUNTS struct prof_call_counts calls;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_call_counts_init(&calls, experiment, true));
	ck_assert(!calls.functions.count && !calls.list.count);
	ck_assert(!prof_call_counts_exist(experiment));
}
END_TEST

/* That calls are missing may be known of a function that was to be traced, and had none. */
START_TEST(missing_calls_alone_are_nothing)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_CALL_COUNTS struct prof_call_counts calls;
	struct prof_arc part = {.kind = PROF_ARC_PART};

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_frame(experiment, 0, 0x1000, &part.callee));
	part.caller = part.callee;
	ck_assert_ok(prof_experiment_arc(experiment, &part));
	ck_assert_ok(prof_call_counts_init(&calls, experiment, true));
	ck_assert(!calls.functions.count && !calls.list.count);
	ck_assert(!prof_call_counts_exist(experiment));
	part.kind = PROF_ARC_BEGIN;
	ck_assert_ok(prof_experiment_arc(experiment, &part));
	ck_assert(prof_call_counts_exist(experiment));
}
END_TEST

RUN_TESTS("call_counts", callers_are_those_of_the_view, functions_are_known_whole_or_in_part,
	nothing_counted_is_nothing, missing_calls_alone_are_nothing)
