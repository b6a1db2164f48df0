/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of functions that were traced one by one. */
#include "traced_program.h"

static uint32_t one, two, start, loop, power, copy;

/* Adds a total of CALLS of the function at FRAME, called at CALLER, and SPENT ns in them. */
static void add_calls(struct prof_experiment *experiment, uint32_t caller, uint32_t frame,
	uint32_t thread, int64_t calls, int64_t spent, int64_t longest)
{
	const int64_t values[PROF_TRACED_VALUES] = {
		[PROF_TRACED_CALLS] = calls, [PROF_TRACED_INSIDE] = spent};
	uint32_t number =
		traced_total(experiment, (uint32_t[]){caller, frame}, 2, thread, 1, values);

	prof_experiment_traced_values(experiment, number, values, longest);
}

/* Of the last total; the values are millionths. */
static void add_argument(struct prof_experiment *experiment, const char *name, prof_value sum,
	prof_value least, prof_value most)
{
	struct prof_argument argument = {
		.traced = (uint32_t)experiment->traced.count - 1, .sum = {sum, least, most}};

	ck_assert_ok(prof_experiment_string(experiment, name, &argument.name));
	ck_assert_ok(prof_experiment_argument(experiment, &argument));
}

/* Two functions: one has arguments, in several totals, and the other none. */
static struct prof_experiment *create(void)
{
	struct prof_experiment *experiment;
	uint32_t program;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/calls", "", &program));
	ck_assert_ok(prof_experiment_thread(experiment, 21, "one", &one));
	ck_assert_ok(prof_experiment_thread(experiment, 22, "two", &two));
	start = program_frame(experiment, program, 0x108, "main", "", 0, NULL);
	loop = program_frame(experiment, program, 0x208, "loop", "", 0, NULL);
	power = program_frame(experiment, program, 0x300, "power\033", "", 0, NULL);
	copy = program_frame(experiment, program, 0x400, "copy", "", 0, NULL);
	add_calls(experiment, start, copy, one, 3, 6000, 2500);
	add_calls(experiment, start, power, one, 3, 30000, 15000);
	add_argument(experiment, "x", prof_value_of(6), prof_value_of(1), prof_value_of(3));
	add_argument(experiment, "result", prof_value_of(-1), prof_value_of(-2), prof_value_of(1));
	add_calls(experiment, loop, power, two, 1, 2000, 2000);
	add_argument(experiment, "result", 500000, 500000, 500000);
	add_argument(experiment, "x", prof_value_of(4), prof_value_of(4), prof_value_of(4));
	prof_experiment_check(experiment);
	return experiment;
}

static char *show_traces(const struct prof_choice *choice)
{
	struct prof_experiment *experiment = create();
	char *shown = show("traces", experiment, choice);

	prof_experiment_destroy(experiment);
	return shown;
}

START_TEST(functions_are_sorted_by_time)
{
	check_words(show_traces(&(struct prof_choice){0}),
		"Traced Time Mean Longest\n"
		"Calls Inside Time Time\n"
		"sec. us us Function\n"
		"4 0.000032 8.000 15.000 power\\x1b\n"
		"x: mean 2.5, least 1, most 4, sum 10\n"
		"result: mean -0.125, least -2, most 1, sum -0.5\n"
		"3 0.000006 2.000 2.500 copy\n");
}
END_TEST

START_TEST(data_has_a_row_for_each_argument)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	check_text(show_traces(&choice),
		"function,calls,inside,inside_mean,longest,argument,sum,mean,least,most\n"
		"power\\x1b,4,0.000032,0.000008,0.000015,x,10,2.5,1,4\n"
		"power\\x1b,4,0.000032,0.000008,0.000015,result,-0.5,-0.125,-2,1\n"
		"copy,3,0.000006,0.000002,0.0000025,,,,,\n");
}
END_TEST

START_TEST(a_filter_chooses_calls)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.filter.values[PROF_CONDITION_THREAD] = "22";
	check_text(show_traces(&choice),
		"function,calls,inside,inside_mean,longest,argument,sum,mean,least,most\n"
		"power\\x1b,1,0.000002,0.000002,0.000002,result,0.5,0.5,0.5,0.5\n"
		"power\\x1b,1,0.000002,0.000002,0.000002,x,4,4,4,4\n");
}
END_TEST

START_TEST(a_limit_is_of_functions)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("traces", "limit=1")};

	check_text(show_traces(&choice),
		"function,calls,inside,inside_mean,longest,argument,sum,mean,least,most\n"
		"power\\x1b,4,0.000032,0.000008,0.000015,x,10,2.5,1,4\n"
		"power\\x1b,4,0.000032,0.000008,0.000015,result,-0.5,-0.125,-2,1\n");
}
END_TEST

START_TEST(without_calls_it_says_how_to_get_some)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	check_text(show("traces", experiment, &(struct prof_choice){0}),
		"No functions were traced: prof-trace records their calls.\n");
	prof_experiment_destroy(experiment);
}
END_TEST

/* Each call is known: none is estimated from samples. */
START_TEST(the_call_graph_has_all_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("gprof", "graph")};

	check_text(show("gprof", experiment, &choice),
		"entry,role,name,cycle,percent,self,children,called,of,counted\n"
		"1,caller,loop,0,,0,0,1,4,all\n1,caller,main,0,,0,0,3,4,all\n"
		"1,primary,power\\x1b,0,0,0,0,4,0,all\n"
		"2,caller,main,0,,0,0,3,3,all\n2,primary,copy,0,0,0,0,3,0,all\n"
		"3,caller,<spontaneous>,0,,,,,,\n3,primary,loop,0,0,0,0,,,no\n"
		"3,callee,power\\x1b,0,,0,0,1,4,all\n"
		"4,caller,<spontaneous>,0,,,,,,\n4,primary,main,0,0,0,0,,,no\n"
		"4,callee,power\\x1b,0,,0,0,3,4,all\n4,callee,copy,0,,0,0,3,3,all\n");
	choice.format = PROF_FORMAT_TEXT;
	AUTO_FREE char *text = show("gprof", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(text, "Traced calls of copy, power\\x1b: 7.\n"));
	experiment->recording.events_lost = 1;
	AUTO_FREE char *part = show("gprof", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(part, ">4"));
	ck_assert_ptr_nonnull(strstr(part,
		"Traced calls of copy, power\\x1b: 7.\nSome calls of copy, power\\x1b were not traced.\n"));
}
END_TEST

/* A function of which only long calls are traced, or not all, because breakpoints are too slow. */
START_TEST(not_all_calls_of_a_function_may_be_traced)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("gprof", "graph")};
	const struct prof_arc part = {0, copy, copy, 0, PROF_ARC_PART};

	ck_assert_ok(prof_experiment_arc(experiment, &part));
	AUTO_FREE char *rows = show("gprof", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(rows, ",primary,copy,0,0,0,0,3,0,part\n"));
	ck_assert_ptr_nonnull(strstr(rows, ",primary,power\\x1b,0,0,0,0,4,0,all\n"));
	choice.format = PROF_FORMAT_TEXT;
	AUTO_FREE char *text = show("gprof", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(text,
		"Traced calls of copy, power\\x1b: 7.\nSome calls of copy were not traced.\n"));
	ck_assert_ptr_null(strstr(text, "Counted"));
}
END_TEST

START_TEST(callers_have_all_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .metrics = "calls", .function = "power\033"};

	check_text(show("callers", experiment, &choice),
		"focus,role,name,attributed,percent\n"
		"power\\x1b,caller,main,3,75\npower\\x1b,caller,loop,1,25\n"
		"power\\x1b,self,power\\x1b,4,100\n");
}
END_TEST

RUN_TESTS("traces", the_call_graph_has_all_calls, not_all_calls_of_a_function_may_be_traced,
	callers_have_all_calls, functions_are_sorted_by_time, data_has_a_row_for_each_argument,
	a_filter_chooses_calls, a_limit_is_of_functions, without_calls_it_says_how_to_get_some)
