/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of threads. */
#include "metric_program.h"
#include "view_support.h"

START_TEST(lists_threads_by_the_first_metric)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = program_create();

	experiment->recording.rate_asked = 0;
	choice.metrics = "samples,.lock";
	check_text(show("threads", experiment, &choice),
		"                 Wait for a lock\n"
		"Samples       %             sec.  Thread  Name\n"
		"     16  100.00            7.000          <Total>\n"
		"     10   62.50            7.000      11  main\n"
		"      6   37.50            0.         12  worker\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(prints_csv_and_json)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	struct prof_experiment *experiment = program_create();

	experiment->recording.rate_asked = 0;
	choice.metrics = "wall";
	check_text(show("threads", experiment, &choice),
		"thread,name,wall,wall_percent\n,<Total>,23,100\n"
		"11,main,17,73.91304347826087\n12,worker,6,26.08695652173913\n");
	choice.format = PROF_FORMAT_JSON;
	choice.own = choose("threads", "limit=1");
	check_text(show("threads", experiment, &choice),
		"{\"view\": \"threads\", \"rows\": [{\"thread\": null, \"name\": \"<Total>\", "
		"\"wall\": 23, \"wall_percent\": 100.0}]}\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(sorts)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("threads", "sort=name")};
	struct prof_experiment *experiment = program_create();
	uint32_t thread;

	ck_assert_ok(prof_experiment_thread(experiment, 13, "before", &thread));
	choice.metrics = ".samples";
	check_text(show("threads", experiment, &choice),
		"thread,name,samples\n,<Total>,16\n13,before,0\n11,main,10\n12,worker,6\n");
	choice.own = choose("threads", "sort=first");
	check_text(show("threads", experiment, &choice),
		"thread,name,samples\n,<Total>,16\n11,main,10\n12,worker,6\n13,before,0\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(filters)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("threads", "sort=first")};
	struct prof_experiment *experiment = program_create();

	choice.filter.values[PROF_CONDITION_STATE] = "system";
	check_text(show("threads", experiment, &choice),
		"thread,name,samples,samples_percent\n,<Total>,5,100\n11,main,0,0\n"
		"12,worker,5,100\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("threads", lists_threads_by_the_first_metric, prints_csv_and_json, sorts, filters)
