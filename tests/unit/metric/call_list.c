/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single calls: their groups, and the longest of them. */
#include "metric/call_list.h"

#include "call_events.h"
#include "metric/filter.h"
#include "metric/selection.h"

/* Adds what LIST has: a line for each group, FUNCTION RETURNED LEFT OPEN TOTAL MEDIAN. */
static void print_groups(const struct prof_experiment *experiment,
	const struct prof_call_list *list, struct prof_text *text)
{
	for (size_t i = 0; i < list->groups.count; i++) {
		const struct prof_call_group *group = &list->groups.items[i];
		bool any = group->durations.list.count;
		prof_text_print(text, "%s %d %d %d %lld %lld\n",
			prof_experiment_function_name(experiment, group->function),
			(int)group->ends[PROF_CALL_END_RETURNED],
			(int)group->ends[PROF_CALL_END_LEFT], (int)group->ends[PROF_CALL_END_OPEN],
			(long long)(group->durations.total / PROF_VALUE_ONE),
			any ? (long long)prof_durations_percentile(&group->durations, 50) : -1);
	}
}

/* The functions of EXPERIMENT whose names are in NAMES, "f g", in a new array. */
static bool *functions_of(const struct prof_experiment *experiment, const char *names)
{
	bool *functions = calloc(prof_experiment_functions(experiment) + 1, sizeof *functions);

	for (uint32_t i = 0; i < experiment->functions.count; i++)
		functions[i] = strstr(names, prof_experiment_function_name(experiment, i)) != NULL;
	return functions;
}

/* The list of NAMES, LIMIT of the longest, is these lines: NUMBER FUNCTION BEGIN DURATION. */
static void expect_list(const struct prof_experiment *experiment, const char *names, uint64_t limit,
	const char *lines)
{
	AUTO_FREE bool *functions = functions_of(experiment, names);
	AUTO_CALL_LIST struct prof_call_list list;
	AUTO_TEXT struct prof_text text = {0};
	const struct prof_call_request request = {
		.experiment = experiment, .functions = functions, .limit = limit};

	ck_assert_ok(prof_call_list_init(&list, &request));
	for (size_t i = 0; i < list.items.count; i++) {
		const struct prof_listed_call *call = &list.items.items[i];
		prof_text_print(&text, "%u %s %lld %lld%s\n", call->number,
			prof_experiment_function_name(experiment, call->function),
			(long long)call->begin, (long long)call->duration,
			call->end == PROF_CALL_END_RETURNED ? "" : prof_call_end_names[call->end]);
	}
	ck_assert_str_eq(prof_text_get(&text), lines);
	ck_assert_uint_le(list.groups.count, 1);
}

START_TEST(each_function_is_a_group)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		calls_of("f(10 g(20) g(5! h(1) g(30)) h(2) h(4) h(6) g(40");
	AUTO_CALL_LIST struct prof_call_list list;
	AUTO_TEXT struct prof_text text = {0};
	const struct prof_call_request request = {.experiment = experiment};

	ck_assert_ok(prof_call_list_init(&list, &request));
	print_groups(experiment, &list, &text);
	ck_assert_str_eq(prof_text_get(&text), "f 1 0 0 66 66\ng 2 1 1 55 20\nh 4 0 0 13 2\n");
	ck_assert_uint_eq(list.calls, 9);
	ck_assert_uint_eq(list.items.count, 0);
}
END_TEST

START_TEST(the_longest_calls_are_listed)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		calls_of("g(3) g(1) g(7) f(2 g(5)) g(3) g(9! g(4");

	expect_list(experiment, "g", 3, "6 g 21 9left\n2 g 4 7\n4 g 13 5\n");
	expect_list(experiment, "g", 0,
		"6 g 21 9left\n2 g 4 7\n4 g 13 5\n7 g 30 4open\n0 g 0 3\n5 g 18 3\n1 g 3 1\n");
	expect_list(experiment, "f g", 2, "6 g 21 9left\n2 g 4 7\n");
	expect_list(experiment, "x", 0, "");
}
END_TEST

/* Time of a call within one of the same function belongs to both calls. */
START_TEST(recursive_calls_are_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("f(1 f(2 f(4)) f(8))");

	expect_list(experiment, "f", 0, "0 f 0 15\n3 f 7 8\n1 f 1 6\n2 f 3 4\n");
}
END_TEST

START_TEST(a_short_list_of_many_is_exact)
{
	enum { COUNT = 1000 };
	AUTO_TEXT struct prof_text text = {0}, expected = {0};

	for (int i = 0; i < COUNT; i++)
		prof_text_print(&text, "f(%d) ", i * 7 % COUNT);
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of(prof_text_get(&text));
	AUTO_FREE bool *functions = functions_of(experiment, "f");
	AUTO_CALL_LIST struct prof_call_list list;
	const struct prof_call_request request = {
		.experiment = experiment, .functions = functions, .limit = 10};
	ck_assert_ok(prof_call_list_init(&list, &request));
	ck_assert_uint_eq(list.items.count, 10);
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(list.items.items[i].duration, COUNT - 1 - i);
	ck_assert_uint_eq(list.calls, COUNT);
	ck_assert_int_eq(prof_durations_percentile(&list.groups.items[0].durations, 99), 989);
}
END_TEST

START_TEST(calls_that_began_in_the_chosen_time_are_taken)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("");
	add_calls_of(experiment, 2, 1000000, "g(10) f(5 g(20)) g(30)");
	AUTO_FREE bool *functions = functions_of(experiment, "g");
	AUTO_CALL_LIST struct prof_call_list list;
	const struct prof_filter filter = {.values[PROF_CONDITION_TIME] = "5ms-20ms"};
	struct prof_selection *selection;

	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	const struct prof_call_request request = {
		.experiment = experiment, .functions = functions, .selection = selection};
	ck_assert_ok(prof_call_list_init(&list, &request));
	ck_assert_uint_eq(list.items.count, 1);
	ck_assert_int_eq(list.items.items[0].duration, 20000000);
	ck_assert_uint_eq(list.calls, 1);
	prof_selection_destroy(selection);
}
END_TEST

RUN_TESTS("metric call list", each_function_is_a_group, the_longest_calls_are_listed,
	recursive_calls_are_calls, a_short_list_of_many_is_exact,
	calls_that_began_in_the_chosen_time_are_taken)
