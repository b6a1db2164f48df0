/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What listed calls called. */
#include "metric/call_list.h"

#include "call_events.h"
#include "model/merge.h"

/*
 * The calls of f in EXPERIMENT, LIMIT of the longest, made the calls of these lines: what F's
 * DURATION is, and then CALLEE CALLS TIME of each.
 */
static void expect(const struct prof_experiment *experiment, uint64_t limit, const char *lines)
{
	AUTO_FREE bool *functions =
		calloc(prof_experiment_functions(experiment) + 1, sizeof *functions);
	AUTO_CALL_LIST struct prof_call_list list;
	AUTO_TEXT struct prof_text text = {0};
	const struct prof_call_request request = {
		.experiment = experiment, .functions = functions, .limit = limit};

	for (uint32_t i = 0; i < experiment->functions.count; i++)
		functions[i] = !strcmp(prof_experiment_function_name(experiment, i), "f");
	ck_assert_ok(prof_call_list_init(&list, &request));
	for (size_t i = 0; i < list.items.count; i++) {
		const struct prof_listed_call *call = &list.items.items[i];
		prof_text_print(&text, "%lld", (long long)call->duration);
		for (size_t j = 0; j < call->callees; j++) {
			const struct prof_call_callee *callee =
				&list.callees.items[call->first + j];
			ck_assert_uint_eq(callee->call, i);
			prof_text_print(&text, " %s %d %lld",
				prof_experiment_function_name(experiment, callee->function),
				(int)callee->calls, (long long)(callee->time / PROF_VALUE_ONE));
		}
		prof_text_print(&text, "\n");
	}
	ck_assert_str_eq(prof_text_get(&text), lines);
}

START_TEST(direct_callees_are_added_up_the_most_time_first)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		calls_of("f(1 g(2 k(100)) h(5) g(3) k(200) g(1)) f(h(1)) k(9) f(3)");

	expect(experiment, 0, "312 k 1 200 g 3 106 h 1 5\n3\n1 h 1 1\n");
	expect(experiment, 1, "312 k 1 200 g 3 106 h 1 5\n");
}
END_TEST

START_TEST(recursive_calls_have_their_own_callees)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		calls_of("f(g(1) f(g(2) f(g(3) g(4)) g(5)))");

	expect(experiment, 0, "15 f 1 14 g 1 1\n14 g 2 7 f 1 7\n7 g 2 7\n");
}
END_TEST

/* All of it takes no time: only the order of the calls says who called. */
START_TEST(calls_at_the_same_time_are_told_apart)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		calls_of("m(f(g()) f(h() h()) f() f(7 k()) f(k(8)))");

	expect(experiment, 0, "8 k 1 8\n7 k 1 0\n0 g 1 0\n0 h 2 0\n0\n");
}
END_TEST

START_TEST(threads_and_experiments_are_apart)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("f(10 g(5))");
	AUTO_EXPERIMENT struct prof_experiment *other = calls_of("f(10 h(6))");

	add_calls_of(experiment, 2, 1, "f(10 k(7))");
	ck_assert_ok(prof_experiment_merge(experiment, other, NULL));
	prof_experiment_check(experiment);
	expect(experiment, 0, "17 k 1 7\n16 h 1 6\n15 g 1 5\n");
}
END_TEST

/* As a recorder may add them that learns of a call when it ends. */
START_TEST(callers_may_stand_behind_what_they_called)
{
	static const struct {
		const char *path;
		int64_t begin, duration;
	} rows[] = {{"fg", 1, 2}, {"fh", 4, 1}, {"f", 0, 6}, {"fg", 6, 3}, {"f", 6, 4}};
	const prof_value values[PROF_QUANTITIES] = {0};
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("");

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct prof_sample sample = {.time = rows[i].begin};
		const struct prof_single_call call = {
			.sample = (uint32_t)i, .duration = rows[i].duration};
		for (const char *at = rows[i].path; *at; at++) {
			uint32_t function, frame;
			ck_assert_ok(prof_experiment_function(experiment, at, 1, 0, &function));
			ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
			ck_assert_ok(
				prof_experiment_path(experiment, sample.path, frame, &sample.path));
		}
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
		ck_assert_ok(prof_single_call_add(experiment, &call));
	}
	expect(experiment, 0, "6 g 1 2 h 1 1\n4 g 1 3\n");
}
END_TEST

RUN_TESTS("metric callees", direct_callees_are_added_up_the_most_time_first,
	recursive_calls_have_their_own_callees, calls_at_the_same_time_are_told_apart,
	threads_and_experiments_are_apart, callers_may_stand_behind_what_they_called)
