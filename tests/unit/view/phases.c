/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of phases. */
#include "metric_program.h"
#include "view_calls.h"

/* The phases of EXPERIMENT as CSV; it is destroyed. */
static char *list(
	struct prof_experiment *experiment, const char *metrics, struct prof_choice choice)
{
	choice.format = PROF_FORMAT_CSV;
	if (metrics)
		choice.metrics = metrics;
	char *shown = show("phases", experiment, &choice);
	prof_experiment_destroy(experiment);
	return shown;
}

START_TEST(sums_up_ticks_and_time_of_all_that_was_called)
{
	const struct prof_choice choice = {0};

	check_text(list(experiment_of_calls(NESTED_CALLS), NULL, choice),
		"phase,thread,name,samples,wall,samples_percent,wall_percent\n"
		",,<Total>,160,16,100,100\n1,0,f,160,16,100,100\n");
}
END_TEST

static const char phases[] =
	"thread 3 main\n"
	"call decode 0\nret 10\ncall link 10\ncall x 15\nret 18\nret 20\ncall run 20\ncall run 25\n"
	"ret 50\nret 60\ncall run 60\nret 100\nthread 4\ncall run 7\nret 8\n";

START_TEST(phases_are_in_order_and_not_merged_by_name)
{
	const struct prof_choice choice = {0};

	check_text(list(experiment_of_calls(phases), ".samples", choice),
		"phase,thread,name,samples\n,,<Total>,101\n1,3,decode,10\n2,3,link,10\n3,3,run,40\n"
		"4,3,run,40\n5,4,run,1\n");
}
END_TEST

START_TEST(filters_and_limits)
{
	struct prof_choice choice = {.own = choose("phases", "limit=3")};

	check_text(list(experiment_of_calls(phases), ".samples", choice),
		"phase,thread,name,samples\n,,<Total>,101\n1,3,decode,10\n2,3,link,10\n");
	choice = (struct prof_choice){.filter.values[PROF_CONDITION_NOT_FUNCTION] = "decode",
		.filter.values[PROF_CONDITION_LEAF] = "run"};
	check_text(list(experiment_of_calls(phases), ".samples", choice),
		"phase,thread,name,samples\n,,<Total>,81\n3,3,run,40\n4,3,run,40\n5,4,run,1\n");
}
END_TEST

START_TEST(of_samples_only_changes_are_seen)
{
	const struct prof_choice choice = {0};
	struct prof_experiment *experiment =
		experiment_of("a 1\na 2\na;b 4\nb 8\nb;c 16\na 32\n", false);

	make_sampled(experiment);
	check_text(list(experiment, ".samples", choice),
		"phase,thread,name,samples\n,,<Total>,63\n1,1,a,7\n2,1,b,24\n3,1,a,32\n");
	check_text(list(program_create(), ".wall", choice),
		"phase,thread,name,wall\n,,<Total>,23\n1,11,main,17\n2,12,main,5\n"
		"3,12,<Unknown>,1\n");
}
END_TEST

START_TEST(prints_text_and_what_was_amiss)
{
	const struct prof_choice choice = {0};
	struct prof_experiment *experiment =
		experiment_of_calls("ret 0\nret 1\ncall f 1\nret 4\ncall g 4\ncall h 5\nret 9\n");

	check_text(show("phases", experiment, &choice),
		"Left out: 2 ends without a call.\n"
		"Treated as ending at the thread's last event: 1 call without an end.\n\n"
		"                 Thread time\n"
		"Samples       %         sec.     %  Phase  Thread  Name\n"
		"      8  100.00        0.     0.                   <Total>\n"
		"      3   37.50        0.     0.        1       0  f\n"
		"      5   62.50        0.     0.        2       0  g\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(says_why_there_is_nothing)
{
	struct prof_choice choice = {.filter.values[PROF_CONDITION_TIME] = "1000s-"};
	struct prof_experiment *experiment = experiment_of_calls(NESTED_CALLS);

	check_text(show("phases", experiment, &choice),
		"Filter: --time=1000s- (0 of 3 records).\n\nThe filter leaves no sample.\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("phases", sums_up_ticks_and_time_of_all_that_was_called,
	phases_are_in_order_and_not_merged_by_name, filters_and_limits,
	of_samples_only_changes_are_seen, prints_text_and_what_was_amiss, says_why_there_is_nothing)
