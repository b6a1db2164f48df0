/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of processes. */
#include "metric_program.h"
#include "view_support.h"

START_TEST(lists_processes)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	struct prof_experiment *experiment = program_create();

	choice.metrics = ".samples";
	check_text(show("processes", experiment, &choice),
		"process,name,samples\n,<Total>,16\n,<Unknown>,16\n");
	free(experiment->recording.program);
	experiment->recording.program = strdup("/bin/prog");
	check_text(show("processes", experiment, &choice),
		"process,name,samples\n,<Total>,16\n,prog,16\n");
	ck_assert_ok(prof_experiment_own(experiment, 0, 11));
	check_text(show("processes", experiment, &choice),
		"process,name,samples\n,<Total>,16\n11,main,10\n,<Unknown>,6\n");
	ck_assert_ok(prof_experiment_own(experiment, 1, 11));
	check_text(show("processes", experiment, &choice),
		"process,name,samples\n,<Total>,16\n11,main,16\n");
	prof_experiment_check(experiment);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(filters_by_process)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	struct prof_experiment *experiment = program_create();

	choice.metrics = ".samples";
	ck_assert_ok(prof_experiment_own(experiment, 0, 11));
	ck_assert_ok(prof_experiment_own(experiment, 1, 21));
	choice.filter.values[PROF_CONDITION_PROCESS] = "21";
	check_text(show("threads", experiment, &choice),
		"thread,name,samples\n,<Total>,6\n12,worker,6\n11,main,0\n");
	choice.filter.values[PROF_CONDITION_THREAD] = "11";
	check_text(show("processes", experiment, &choice),
		"process,name,samples\n,<Total>,0\n11,main,0\n21,<Unknown>,0\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("processes", lists_processes, filters_by_process)
