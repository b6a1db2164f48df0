/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of metrics. */
#include "metric_program.h"
#include "view_support.h"

START_TEST(lists_metrics_with_their_totals)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = program_create();

	experiment->recording.rate_asked = 0;
	check_text(show("metrics", experiment, &choice),
		"Name         Total  Unit     Title\n"
		"samples         16  samples  Samples\n"
		"cpu         16.000  sec.     CPU time\n"
		"wall        23.000  sec.     Thread time\n"
		"wallclock   17.000  sec.     Wall clock time\n"
		"user        11.000  sec.     User CPU time\n"
		"system       5.000  sec.     System CPU time\n"
		"runqueue     0.     sec.     Wait for a CPU\n"
		"lock         7.000  sec.     Wait for a lock\n"
		"fault        0.     sec.     Wait for a page\n"
		"text-fault   0.     sec.     Wait for a page of code\n"
		"data-fault   0.     sec.     Wait for a page of data\n"
		"other        0.     sec.     Other wait\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(prints_csv)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	struct prof_experiment *experiment = program_create();

	choice.filter.values[PROF_CONDITION_THREAD] = "11";
	check_text(show("metrics", experiment, &choice),
		"name,title,unit,total\nsamples,Samples,samples,10\ncpu,CPU time,sec.,10\n"
		"wall,Thread time,sec.,17\nwallclock,Wall clock time,sec.,17\nuser,User CPU "
		"time,sec.,10\n"
		"system,System CPU time,sec.,0\nrunqueue,Wait for a CPU,sec.,0\n"
		"lock,Wait for a lock,sec.,7\nfault,Wait for a page,sec.,0\n"
		"text-fault,Wait for a page of code,sec.,0\n"
		"data-fault,Wait for a page of data,sec.,0\n"
		"other,Other wait,sec.,0\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(limits_its_rows)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("metrics", "limit=2")};
	struct prof_experiment *experiment = program_create();

	check_text(show("metrics", experiment, &choice),
		"name,title,unit,total\nsamples,Samples,samples,16\ncpu,CPU time,sec.,16\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("metrics", lists_metrics_with_their_totals, prints_csv, limits_its_rows)
