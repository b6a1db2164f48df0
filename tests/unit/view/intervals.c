/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of intervals. */
#include "view_marks.h"

START_TEST(intervals_are_listed_with_both_marks)
{
	start();
	check("intervals", PROF_FORMAT_TEXT, NULL,
		"          Start  Duration           Thread time\n"
		"Interval   sec.      sec.  Samples         sec.  Marks\n"
		"       1  0.000     0.010        1        0.005  start .. it's, \\x1b[31mred\n"
		"       2  0.010     0.030        1        0.020  it's, \\x1b[31mred .. end\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(unknown_figures_are_empty_and_null)
{
	start();
	check("intervals", PROF_FORMAT_CSV, "2",
		HEAD
		"2,0.01,\"it's, \\x1b[31mred\",0.04,end,0.03,1,0.02,0,0,0,0,0,,0.016,,,,,,,,,,,"
		"300,\n");
	check("overview", PROF_FORMAT_CSV, "1",
		HEAD
		",0,start,0.01,\"it's, \\x1b[31mred\",0.01,1,0.005,0,0,0,0,0,,0.004,,,,,,,,,,,"
		"200,\n"
		"1,0,start,0.01,\"it's, \\x1b[31mred\",0.01,1,0.005,0,0,0,0,0,,0.004,,,,,,,,,,,"
		"200,\n");
	char *json =
		show("overview", experiment, &(struct prof_choice){.format = PROF_FORMAT_JSON});
	ck_assert_ptr_nonnull(strstr(json, "\"interval\": null, \"start\": 0"));
	ck_assert_ptr_nonnull(strstr(json, "\"user\": 0.02, \"system\": null"));
	free(json);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(without_intervals_it_is_said)
{
	start();
	experiment->marks.count = 1;
	check("intervals", PROF_FORMAT_TEXT, NULL,
		"No intervals: they lie between marks; see help prof-mark.\n");
	check("overview", PROF_FORMAT_CSV, NULL, HEAD);
	prof_experiment_destroy(experiment);
}
END_TEST

/* No figure of a mark is a metric, nor does a mark change one. */
START_TEST(marks_change_no_metric)
{
	experiment = experiment_of("main;a 5\nmain;b 20\n", true);
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	char *metrics = show("metrics", experiment, &choice);
	char *functions = show("functions", experiment, &choice);

	for (int i = 0; i < 50; i++)
		mark(i, "mark", i * 7, i * 11);
	check_text(show("metrics", experiment, &choice), metrics);
	check_text(show("functions", experiment, &choice), functions);
	free(metrics);
	free(functions);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("intervals", intervals_are_listed_with_both_marks, unknown_figures_are_empty_and_null,
	without_intervals_it_is_said, marks_change_no_metric)
