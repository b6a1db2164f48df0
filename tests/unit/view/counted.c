/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of counted calls. */
#include "view/counted.h"

#include "view_support.h"

static void count(struct prof_experiment *experiment, const char *callee, uint64_t calls,
	enum prof_arc_kind kind)
{
	uint32_t function, frame;

	ck_assert_ok(prof_experiment_function(experiment, callee, strlen(callee), 0, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	struct prof_arc counted = {0, frame, frame, calls, (uint8_t)kind};
	ck_assert_ok(prof_experiment_arc(experiment, &counted));
}

static void check_said(const struct prof_experiment *experiment, const char *expected)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_counted_print(experiment, &text);
	prof_counted_print_cost(experiment, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
}

START_TEST(counted_functions_are_named_and_the_cost_told)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	check_said(experiment, "");
	count(experiment, "f", 0, PROF_ARC_BEGIN);
	experiment->recording.duration = 2000000000;
	check_said(experiment, "Counted calls of f: 0.\n");
	count(experiment, "bad\x1b[1m", 300, PROF_ARC_CALLS);
	count(experiment, "f", 100, PROF_ARC_CALLS);
	experiment->recording.counting = 40000000;
	check_said(experiment,
		"Counted calls of f, bad\\x1b[1m: 400.\n"
		"Breakpoints that count calls kept threads stopped for 0.040 s, 2.00 % of the program's time.\n");
	count(experiment, "f", 0, PROF_ARC_PART);
	experiment->recording.duration = 0;
	check_said(experiment,
		"Counted calls of f, bad\\x1b[1m: 400.\nSome calls of f were not counted.\n");
}
END_TEST

/* Functions that are traced at breakpoints are not counted. */
START_TEST(what_breakpoints_cost_is_told_without_counts)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->recording.counting = 40000000;
	check_said(experiment, "Breakpoints of prof-trace kept threads stopped for 0.040 s.\n");
}
END_TEST

/* An arc that only says that some calls are missing may be of a traced function. */
START_TEST(what_was_not_counted_has_no_part_that_was)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	count(experiment, "f", 0, PROF_ARC_PART);
	check_said(experiment, "");
	count(experiment, "g", 0, PROF_ARC_BEGIN);
	check_said(experiment, "Counted calls of g: 0.\n");
}
END_TEST

START_TEST(many_functions_are_a_number)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_TEXT struct prof_text text = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int i = 0; i < 40; i++) {
		char name[8];
		snprintf(name, sizeof name, "f%d", i);
		count(experiment, name, 1, PROF_ARC_CALLS);
	}
	prof_counted_print(experiment, &text);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text), "f10, f11 and 28 more: 40.\n"));
}
END_TEST

START_TEST(what_is_not_resolved_is_a_number)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_arc counted = {.kind = PROF_ARC_BEGIN};

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_frame(experiment, 0, 0x1234, &counted.callee));
	counted.caller = counted.callee;
	ck_assert_ok(prof_experiment_arc(experiment, &counted));
	check_said(experiment, "Counted calls of 1 function: 0.\n");
}
END_TEST

RUN_TESTS("counted", what_breakpoints_cost_is_told_without_counts,
	counted_functions_are_named_and_the_cost_told, many_functions_are_a_number,
	what_was_not_counted_has_no_part_that_was, what_is_not_resolved_is_a_number)
