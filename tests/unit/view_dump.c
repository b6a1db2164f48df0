/* The format json: all that an experiment holds. */
#include "view_whole.h"

START_TEST(everything_is_there_in_tables)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = whole_create();

	check_golden(whole_print(experiment, "json", "samples", true), "dump.json");
}
END_TEST

START_TEST(calls_without_stacks_are_there)
{
	struct prof_text costs = {0};

	prof_text_print(&costs,
		"events: samples cpu\nfl=a.c\nfn=<Total>\ncfn=f\ncalls=2 3\n0 5 9\nfn=f\n3 5 9\n");
	AUTO_EXPERIMENT struct prof_experiment *experiment = trip_read(&costs);
	prof_text_deinit(&costs);
	AUTO_FREE char *text = whole_print(experiment, "json", "samples", true);
	ck_assert_ptr_nonnull(strstr(text,
		"\"calls\":[\n{\"caller\":null,\"callee\":0,\"calls\":2,\"samples\":5,\"user\":9}"
		"]"));
}
END_TEST

RUN_TESTS("view_dump", everything_is_there_in_tables, calls_without_stacks_are_there)
