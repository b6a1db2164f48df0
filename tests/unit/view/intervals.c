#include "view_support.h"

static struct prof_experiment *experiment;

static void mark(int64_t ms, const char *label, int64_t user_ms, int64_t peak)
{
	struct prof_mark made = {.time = ms * 1000000};

	prof_usage_clear(&made.usage);
	made.usage.figures[PROF_USAGE_USER] = user_ms < 0 ? user_ms : user_ms * 1000000;
	made.usage.figures[PROF_USAGE_PEAK] = peak;
	ck_assert_ok(prof_experiment_mark(experiment, &made, label));
}

static void start(void)
{
	experiment = experiment_of("main;a 5\nmain;b 20\n", true);
	set_time(experiment, 0, 5000000);
	set_time(experiment, 1, 35000000);
	mark(0, "start", 0, 100);
	mark(10, "it's, \033[31mred", 4, 200);
	mark(40, "end", 20, 300);
}

static void check(
	const char *view, enum prof_format format, const char *interval, const char *expected)
{
	struct prof_choice choice = {
		.format = format, .filter.values[PROF_CONDITION_INTERVAL] = interval};

	check_text(show(view, experiment, &choice), expected);
}

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

#define HEAD                                                                                   \
	"interval,start,start_label,end,end_label,duration,samples,thread_time,runqueue,lock," \
	"text_fault,data_fault,other,running,user,system,minor_faults,major_faults,voluntary_" \
	"switches,"                                                                            \
	"involuntary_switches,block_input,block_output,char_input,char_output,resident,peak,"  \
	"threads\n"

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

START_TEST(overview_has_the_total_first)
{
	start();
	char *text = show("overview", experiment, &(struct prof_choice){.limit = 1});
	ck_assert_ptr_nonnull(strstr(text, "Total of 2 intervals, 0.000 to 0.040 sec.: start .. "));
	ck_assert_ptr_nonnull(strstr(text, "\n\nInterval 1, 0.000 to 0.010 sec.: start .. "));
	ck_assert_ptr_nonnull(strstr(text, "  User CPU                        0.004  sec.\n"));
	ck_assert_ptr_nonnull(strstr(text, "  System CPU                    unknown\n"));
	ck_assert_ptr_nonnull(strstr(text, "    Wait for a page of data       0.000  sec.\n"));
	ck_assert_ptr_null(strstr(text, "Interval 2"));
	free(text);
	struct prof_choice one = {.filter.values[PROF_CONDITION_INTERVAL] = "1"};
	text = show("overview", experiment, &one);
	ck_assert_ptr_nonnull(strstr(text, "Total of 1 interval, 0.000 to 0.010 sec.: start .. "));
	ck_assert_ptr_null(strstr(text, "The filter is for"));
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(what_no_filter_can_divide_is_said)
{
	start();
	struct prof_choice choice = {.filter.values[PROF_CONDITION_STATE] = "lock"};
	char *text = show("overview", experiment, &choice);
	ck_assert_ptr_nonnull(
		strstr(text, "The filter is for thread time, and the waits that are part of it; "));
	ck_assert_ptr_nonnull(strstr(text, "  User CPU                        0.020  sec.\n"));
	free(text);
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
	overview_has_the_total_first, what_no_filter_can_divide_is_said,
	without_intervals_it_is_said, marks_change_no_metric)
