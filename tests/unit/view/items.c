/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lists of functions, load objects, lines and addresses have in common. */
#include "metric_program.h"
#include "view_support.h"

#define HEADING "Exclusive Inclusive\nSamples % Samples % Name\n"

START_TEST(shows_fractions_of_samples)
{
	struct prof_choice choice = {0};

	check_text(show_lines("functions", "main 24.5\nmain;C 7.5\n", false, &choice),
		"Exclusive          Inclusive\n"
		"  Samples       %    Samples       %  Name\n"
		"       32  100.00         32  100.00  <Total>\n"
		"     24.5   76.56         32  100.00  main\n"
		"      7.5   23.44        7.5   23.44  C\n");
}
END_TEST

START_TEST(counts_the_total_against_the_limit)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("functions", "limit=3")};

	check_text(show_lines("functions", "a 3\nb 1\nc 2\n", false, &choice),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,6,6,100,100\na,3,3,50,50\nc,2,2,33.333333333333336,33.333333333333336\n");
	choice.own = choose("functions", "limit=1");
	check_text(show_lines("functions", "a 3\nb 1\nc 2\n", false, &choice),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,6,6,100,100\n");
}
END_TEST

START_TEST(prints_exact_seconds_in_csv)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.metrics = "cpu";
	check_text(show_lines("functions", "a 1234567.000001\n", true, &choice),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,1234.567000001,1234.567000001,100,100\n"
		"a,1234.567000001,1234.567000001,100,100\n");
}
END_TEST

START_TEST(prints_json)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_JSON, .own = choose("functions", "limit=2")};

	check_text(show_lines("functions", "a 7.5\nb 0.5\n", false, &choice),
		"{\"view\": \"functions\", \"metric\": \"samples\", \"unit\": \"samples\", "
		"\"total\": 8, \"rows\": ["
		"{\"name\": \"<Total>\", \"exclusive\": 8, \"inclusive\": 8, "
		"\"exclusive_percent\": 100.0, \"inclusive_percent\": 100.0}, "
		"{\"name\": \"a\", \"exclusive\": 7.5, \"inclusive\": 7.5, "
		"\"exclusive_percent\": 93.75, \"inclusive_percent\": 93.75}]}\n");
}
END_TEST

START_TEST(shows_metrics_side_by_side)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = program_create();

	choice.metrics = "samples,e.cpu:i%wall";
	check_text(show("functions", experiment, &choice),
		"Rate: 1 Hz asked for; 0 of 0 ticks lost (0.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n"
		"Only 16 samples: shares of them are rough.\n"
		"\n"
		"                                Exclusive    Inclusive\n"
		"Exclusive       Inclusive        CPU time  Thread time\n"
		"  Samples    %    Samples    %       sec.            %  Name\n"
		"       16  100         16  100     16.000          100  <Total>\n"
		"       10   62         10   62     10.000           43  compare\n"
		"        5   31          5   31      5.000           22  inl\n"
		"        1    6          1    6      1.000           35  <Unknown>\n"
		"        0    0         15   94      0.              96  main\n"
		"        0    0         10   62      0.              43  qsort\n"
		"        0    0          5   31      0.              22  work\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(names_the_metrics_of_columns)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("functions", "limit=2")};
	struct prof_experiment *experiment = program_create();

	choice.metrics = "samples,e.cpu:i%wall";
	check_text(show("functions", experiment, &choice),
		"name,samples_exclusive,samples_inclusive,cpu_exclusive,"
		"samples_exclusive_percent,samples_inclusive_percent,wall_inclusive_percent\n"
		"<Total>,16,16,16,100,100,100\n"
		"compare,10,10,10,62.5,62.5,43.47826086956522\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(sorts_by_the_first_column)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("functions", "limit=3")};
	struct prof_experiment *experiment = program_create();

	choice.metrics = "i.samples";
	check_text(show("functions", experiment, &choice),
		"name,inclusive\n<Total>,16\nmain,15\ncompare,10\n");
	choice.own = choose("functions", "limit=3 sort=exclusive");
	check_text(show("functions", experiment, &choice),
		"name,inclusive\n<Total>,16\ncompare,10\ninl,5\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(lists_what_any_of_the_metrics_has)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	struct prof_experiment *experiment = program_create();

	choice.metrics = "e.system:e.lock";
	check_text(show("functions", experiment, &choice),
		"name,system_exclusive,lock_exclusive\n<Total>,5,7\ninl,5,0\n<Unknown>,0,7\n"
		"main,0,0\nwork,0,0\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(says_what_the_filter_is)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = program_create();

	experiment->recording.rate_asked = 0;
	choice.filter.values[PROF_CONDITION_FUNCTION] = "work";
	check_words(show("functions", experiment, &choice),
		"Filter: --function=work (1 of 4 records).\n\n" HEADING
		"5 100.00 5 100.00 <Total>\n5 100.00 5 100.00 inl\n0 0. 5 100.00 main\n"
		"0 0. 5 100.00 work\n");
	choice.filter.values[PROF_CONDITION_TIME] = "1s-2s";
	check_text(show("functions", experiment, &choice),
		"Filter: --time=1s-2s --function=work (0 of 4 records).\n\n"
		"The filter leaves no sample.\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(bars_are_shares_of_the_largest)
{
	const struct prof_choice choice = {.blocks = true, .own = choose("functions", "bars")};

	check_text(show_lines("functions", "a 4\nb 1\na;c 0\n", false, &choice),
		"Exclusive          Inclusive\n"
		"  Samples       %    Samples       %              Name\n"
		"        5  100.00          5  100.00              <Total>\n"
		"        4   80.00          4   80.00  ██████████  a\n"
		"        1   20.00          1   20.00  ██▌         b\n"
		"        0    0.            0    0.                c\n");
}
END_TEST

RUN_TESTS("items", shows_metrics_side_by_side, names_the_metrics_of_columns,
	lists_what_any_of_the_metrics_has, sorts_by_the_first_column, says_what_the_filter_is,
	shows_fractions_of_samples, counts_the_total_against_the_limit, prints_exact_seconds_in_csv,
	prints_json, bars_are_shares_of_the_largest)
