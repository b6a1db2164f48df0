/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of single calls. */
#include "call_events.h"
#include "view_support.h"

/* prof-calls NAME, NULL for none, with OPTIONS, of the calls of TEXT, each number so many us. */
static char *show_calls(
	const char *text, const char *name, const char *options, enum prof_format format)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("");
	const struct prof_choice choice = {
		.format = format, .function = name, .own = choose("calls", options)};

	add_calls_of(experiment, 7, 1000, text);
	return show("calls", experiment, &choice);
}

START_TEST(each_function_has_figures)
{
	check_words(show_calls("f(10 g(20) g(5! g(30)) h(40", NULL, "", PROF_FORMAT_TEXT),
		"Total Mean p50 p90 p99 Max Not\n"
		"Calls sec. us us us us us returned Function\n"
		"1 0.000065 65.000 65.000 65.000 65.000 65.000 0 f\n"
		"3 0.000055 18.333 20.000 30.000 30.000 30.000 0 g\n"
		"0 0.000000 1 h\n");
	check_words(show_calls("f(10 g(20) g(5! g(30)) h(40", NULL, "limit=1", PROF_FORMAT_TEXT),
		"Total Mean p50 p90 p99 Max Not\n"
		"Calls sec. us us us us us returned Function\n"
		"1 0.000065 65.000 65.000 65.000 65.000 65.000 0 f\n");
}
END_TEST

START_TEST(data_has_seconds)
{
	check_text(show_calls("f(10 g(20) g(5! g(30)) h(40", NULL, "", PROF_FORMAT_CSV),
		"function,calls,open,left,total,mean,p50,p90,p99,max\n"
		"f,1,0,0,0.000065,0.000065,0.000065,0.000065,0.000065,0.000065\n"
		"g,3,0,1,0.000055,0.000018333333333,0.00002,0.00003,0.00003,0.00003\n"
		"h,0,1,0,0,,,,,\n");
}
END_TEST

START_TEST(bins_are_rows)
{
	check_text(show_calls("f(1) f(30) f(2) f(1)", "f", "histogram", PROF_FORMAT_CSV),
		"from,to,calls\n0.000001,0.0000015,2\n0.0000015,0.000002,0\n0.000002,0.000003,1\n"
		"0.000003,0.000005,0\n0.000005,0.000007,0\n0.000007,0.00001,0\n"
		"0.00001,0.000015,0\n0.000015,0.00002,0\n0.00002,0.00003,0\n0.00003,0.00005,1\n");
	check_text(show_calls("g(f(", "f", "histogram", PROF_FORMAT_CSV), "from,to,calls\n");
	check_words(
		show_calls("f(1) f(30) f(28) f(31)", "f", "histogram limit=1", PROF_FORMAT_TEXT),
		"Total Mean p50 p90 p99 Max Not\n"
		"Calls sec. us us us us us returned Function\n"
		"4 0.000090 22.500 28.000 31.000 31.000 31.000 0 f\n"
		"\n"
		"From to\n"
		"us us Calls %\n"
		"1.000 1.500 1 25.00 ####################\n"
		"1.500 2.000 0 0.00\n"
		"2.000 3.000 0 0.00\n"
		"3.000 5.000 0 0.00\n"
		"5.000 7.000 0 0.00\n"
		"7.000 10.000 0 0.00\n"
		"10.000 15.000 0 0.00\n"
		"15.000 20.000 0 0.00\n"
		"20.000 30.000 1 25.00 ####################\n"
		"30.000 50.000 2 50.00 ########################################\n");
}
END_TEST

RUN_TESTS("view call figures", each_function_has_figures, data_has_seconds, bins_are_rows)
