/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of load objects. */
#include "metric_program.h"
#include "view_support.h"

START_TEST(counts_a_sample_once_for_each_object_in_its_stack)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	struct prof_experiment *experiment = program_create();

	choice.metrics = "e.samples:i.samples";
	check_text(show("objects", experiment, &choice),
		"name,samples_exclusive,samples_inclusive\n<Total>,16,16\n/bin/prog,15,15\n"
		"<Unknown>,1,1\n/lib/libq.so,0,10\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(selects_the_stacks_of_an_object)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	struct prof_experiment *experiment = program_create();

	choice.metrics = "e.samples:i.samples";
	choice.filter.values[PROF_CONDITION_OBJECT] = "libq.so";
	check_text(show("objects", experiment, &choice),
		"name,samples_exclusive,samples_inclusive\n<Total>,10,10\n/bin/prog,10,10\n"
		"/lib/libq.so,0,10\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("objects", counts_a_sample_once_for_each_object_in_its_stack,
	selects_the_stacks_of_an_object)
