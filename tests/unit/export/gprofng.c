/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format gprofng-text, beside what gprofng 2.40 printed of a program that spent its time so:
 * but for the start, which has no symbol.
 */
#include "view_whole.h"

static const char lines[] = "start;main;r;r;r;s;work 50\nstart;main;r;r;r;work 50\n"
			    "start;main;r;r;s;work 50\nstart;main;r;r;work 60\n"
			    "start;main;r;s;work 50\nstart;main;r;work 40\n"
			    "start;main;ping;pong;ping;pong;ping;work 130\n";

START_TEST(functions_and_tree_are_as_gprofng_has_them)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = experiment_of(lines, true);

	check_text(whole_print(experiment, "gprofng-text", "cpu", true),
		"Functions sorted by metric: Exclusive Total CPU Time\n"
		"\n"
		"Excl. Total   Incl. Total    Name\n"
		"CPU           CPU\n"
		" sec.      %   sec.      %\n"
		"0.430 100.00  0.430 100.00   <Total>\n"
		"0.430 100.00  0.430 100.00   work\n"
		"0.      0.    0.430 100.00   main\n"
		"0.      0.    0.130  30.23   ping\n"
		"0.      0.    0.130  30.23   pong\n"
		"0.      0.    0.300  69.77   r\n"
		"0.      0.    0.150  34.88   s\n"
		"0.      0.    0.430 100.00   start\n"
		"\n"
		"Functions Call Tree. Metric: Attributed Total CPU Time\n"
		"\n"
		"Attr. Total    Name\n"
		"CPU\n"
		" sec.      %\n"
		"0.430 100.00   +-<Total>\n"
		"0.430 100.00     +-start\n"
		"0.430 100.00       +-main\n"
		"0.300  69.77         +-r\n"
		"0.210  48.84         |  +-r\n"
		"0.100  23.26         |  |  +-r\n"
		"0.050  11.63         |  |  |  +-s\n"
		"0.050  11.63         |  |  |  |  +-work\n"
		"0.050  11.63         |  |  |  +-work\n"
		"0.060  13.95         |  |  +-work\n"
		"0.050  11.63         |  |  +-s\n"
		"0.050  11.63         |  |    +-work\n"
		"0.050  11.63         |  +-s\n"
		"0.050  11.63         |  |  +-work\n"
		"0.040   9.30         |  +-work\n"
		"0.130  30.23         +-ping\n"
		"0.130  30.23           +-pong\n"
		"0.130  30.23             +-ping\n"
		"0.130  30.23               +-pong\n"
		"0.130  30.23                 +-ping\n"
		"0.130  30.23                   +-work\n");
}
END_TEST

START_TEST(counts_have_no_decimals_and_names_do_nothing)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of("a\033[2J 1\nb 1234567\n", false);

	check_text(whole_print(experiment, "gprofng-text", "samples", true),
		"Functions sorted by metric: Exclusive Samples\n"
		"\n"
		"Excl. Samples   Incl. Samples    Name\n"
		"             %               %\n"
		"1234568 100.00  1234568 100.00   <Total>\n"
		"1234567 100.00  1234567 100.00   b\n"
		"      1   0.00        1   0.00   a\\x1b[2J\n"
		"\n"
		"Functions Call Tree. Metric: Attributed Samples\n"
		"\n"
		"Attr. Samples    Name\n"
		"             %\n"
		"1234568 100.00   +-<Total>\n"
		"1234567 100.00     +-b\n"
		"      1   0.00     +-a\\x1b[2J\n");
}
END_TEST

START_TEST(trees_far_longer_than_the_experiment_are_refused)
{
	enum { DEPTH = 30000 };
	AUTO_TEXT struct prof_text line = {0};
	const struct prof_filter filter = {0};
	const struct prof_export *format;
	AUTO_TEXT struct prof_text text = {0};
	AUTO_SHEET struct prof_sheet sheet;

	for (int i = 0; i < DEPTH; i++)
		prof_text_print(&line, "f;");
	prof_text_print(&line, "g 1\n");
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of(prof_text_get(&line), false);
	ck_assert_ok(prof_export_find("gprofng-text", &format));
	const struct prof_sheet_request request = {
		NULL, &filter, format->kind, true, format->want, format->needs, "It"};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
	ck_assert_error(format->print(&sheet, &text), "The call tree is more than");
}
END_TEST

RUN_TESTS("gprofng", functions_and_tree_are_as_gprofng_has_them,
	counts_have_no_decimals_and_names_do_nothing,
	trees_far_longer_than_the_experiment_are_refused)
