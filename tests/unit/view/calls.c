/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single calls of functions. */
#include "call_events.h"
#include "view_support.h"

/* prof-calls as CHOICE is, of the calls of TEXT, each number so many us. */
static char *show_calls(const char *text, const struct prof_choice *choice)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("");

	add_calls_of(experiment, 7, 1000, text);
	return show("calls", experiment, choice);
}

START_TEST(figures_the_histogram_and_the_longest_calls_are_shown)
{
	check_words(
		show_calls("m(f(10) f(14) f(11) g(1) f(12! f(5",
			&(struct prof_choice){.function = "f", .own = choose("calls", "limit=2")}),
		"Total Mean p50 p90 p99 Max Not\n"
		"Calls sec. us us us us us returned Function\n"
		"4 0.000047 11.750 11.000 14.000 14.000 14.000 1 f\n"
		"Calls that had not returned at the end: 1, which the figures leave out.\n"
		"Calls that a jump or an exception left: 1, which the figures include.\n"
		"\n"
		"From to\n"
		"us us Calls %\n"
		"10.000 10.500 1 25.00 ########################################\n"
		"10.500 11.000 0 0.00\n"
		"11.000 11.500 1 25.00 ########################################\n"
		"11.500 12.000 0 0.00\n"
		"12.000 12.500 1 25.00 ########################################\n"
		"12.500 13.000 0 0.00\n"
		"13.000 13.500 0 0.00\n"
		"13.500 14.000 0 0.00\n"
		"14.000 14.500 1 25.00 ########################################\n"
		"\n"
		"Start Duration\n"
		"sec. us Thread Call\n"
		"0.000010 14.000 7 m calls f\n"
		"0.000036 12.000 7 m calls f (left by a jump or an exception)\n"
		"These are the longest 2 of 5 calls.\n");
}
END_TEST

START_TEST(twenty_calls_are_listed)
{
	AUTO_TEXT struct prof_text calls = {0};

	for (int i = 1; i < 40; i++)
		prof_text_print(&calls, "f(%d)", i);
	AUTO_FREE char *shown =
		show_calls(prof_text_get(&calls), &(struct prof_choice){.function = "f"});
	ck_assert_ptr_nonnull(strstr(shown, "These are the longest 20 of 39 calls.\n"));
	ck_assert_ptr_nonnull(strstr(shown, " 20.000       7  f\n"));
	ck_assert_ptr_null(strstr(shown, " 19.000       7  f\n"));
	AUTO_FREE char *all = show_calls(prof_text_get(&calls),
		&(struct prof_choice){.function = "f", .own = choose("calls", "limit=0")});
	ck_assert_ptr_nonnull(strstr(all, " 1.000       7  f\n"));
	ck_assert_ptr_null(strstr(all, "These are"));
}
END_TEST

START_TEST(functions_of_one_name_are_taken_together)
{
	AUTO_FREE char *shown = show_calls("a::f(3) b::f(9)",
		&(struct prof_choice){.function = "f", .own = choose("calls", "")});

	ck_assert_ptr_nonnull(strstr(shown, "    2  0.000012"));
	ck_assert_ptr_nonnull(strstr(shown, " 0  f\n"));
	ck_assert_ptr_nonnull(strstr(shown, " 7  b::f\n"));
}
END_TEST

START_TEST(an_open_call_alone_has_no_histogram)
{
	check_words(show_calls("f(3", &(struct prof_choice){.function = "f"}),
		"Total Mean p50 p90 p99 Max Not\n"
		"Calls sec. us us us us us returned Function\n"
		"0 0.000000 1 f\n"
		"Calls that had not returned at the end: 1, which the figures leave out.\n"
		"\n"
		"Start Duration\n"
		"sec. us Thread Call\n"
		"0.000000 3.000 7 f (not returned)\n");
}
END_TEST

START_TEST(without_calls_it_says_why)
{
	AUTO_EXPERIMENT struct prof_experiment *stacks = experiment_of("main;f 3\n", false);
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("f(1)");
	AUTO_TEXT struct prof_text text = {0};
	const struct prof_view *view = prof_view_find("calls");
	struct prof_choice choice = {.function = "x"};

	ck_assert_error(prof_view_print(view, stacks, &choice, NULL, &text),
		"prof-calls needs single calls with times");
	ck_assert_error(prof_view_print(view, experiment, &choice, NULL, &text),
		"No function \"x\" is in any stack");
	choice.function = NULL;
	choice.own = choose("calls", "histogram");
	ck_assert_error(prof_view_print(view, experiment, &choice, NULL, &text),
		"A histogram is of the calls of one function: use prof-calls FUNCTION.");
	choice = (struct prof_choice){.function = "f"};
	choice.filter.values[PROF_CONDITION_TIME] = "1s-";
	check_text(show("calls", experiment, &choice),
		"Filter: --time=1s- (0 of 1 records).\n\nThe filter leaves no call.\n");
	/* A sampled function beside calls: as in a sum of two files. */
	add_stack(experiment, "main;s", ';',
		(const prof_value[PROF_QUANTITIES]){[PROF_QUANTITY_SAMPLES] = 1});
	check_text(show("calls", experiment, &(struct prof_choice){.function = "s"}),
		"No single calls of \"s\" were recorded: prof-calls without a FUNCTION lists those "
		"that have some.\n");
}
END_TEST

START_TEST(the_picture_is_the_histogram)
{
	struct prof_choice choice = {.format = PROF_FORMAT_PICTURE, .function = "f"};
	AUTO_FREE char *shown = show_calls("m(f(10) f(14) f(11! f(5", &choice);

	ck_assert_ptr_nonnull(strstr(shown, "Durations of Calls of f</title>"));
	ck_assert_ptr_nonnull(strstr(shown, ">3 calls, mean 11.67 us, total 0.000035 s</text>"));
	ck_assert_ptr_nonnull(strstr(shown, ">Calls that had not returned at the end: 1, which "));
	ck_assert_ptr_nonnull(strstr(shown, ">Calls that a jump or an exception left: 1, which "));
	ck_assert_ptr_nonnull(strstr(shown, ">p50 11 us</text>"));
	AUTO_FREE char *empty = show_calls("f(", &choice);
	ck_assert_ptr_nonnull(strstr(empty, ">0 calls</text>"));
	choice.filter.values[PROF_CONDITION_TIME] = "1s-";
	AUTO_FREE char *filtered = show_calls("f(5)", &choice);
	ck_assert_ptr_nonnull(strstr(filtered, ">Filter: --time=1s- (0 of 1 records).</text>"));
	ck_assert_ptr_nonnull(strstr(filtered, "Durations of Calls of f</title>"));
}
END_TEST

RUN_TESTS("view calls", figures_the_histogram_and_the_longest_calls_are_shown,
	twenty_calls_are_listed, functions_of_one_name_are_taken_together,
	an_open_call_alone_has_no_histogram, without_calls_it_says_why,
	the_picture_is_the_histogram)
