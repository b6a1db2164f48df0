/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of leaks. */
#include "traced_program.h"

START_TEST(leaks_are_listed_by_stack)
{
	check_text(traced_show("leaks", &(struct prof_choice){0}),
		"Summary Results: Distinct Leaks = 2, Total Instances = 5, "
		"Total Bytes Leaked = 10096\n\n"
		"Leak #1, Instances = 4, Bytes Leaked = 6000\n"
		"  malloc + 0x00000000\n"
		"  grab + 0x00000008, line 21 in \"mt.c\"\n"
		"  worker + 0x00000008, line 17 in \"work.c\"\n\n"
		"Leak #2, Instances = 1, Bytes Leaked = 4096\n"
		"  malloc + 0x00000000\n"
		"  printf\n"
		"  main + 0x00000008, line 54 in \"mt.c\"\n"
		"  <Unknown> at 0x40\n");
}
END_TEST

START_TEST(a_filter_leaves_its_part)
{
	struct prof_choice choice = {0};

	choice.filter.values[PROF_CONDITION_THREAD] = "21";
	check_text(traced_show("leaks", &choice),
		"Filter: --thread=21 (2 of 7 records).\n\n"
		"Summary Results: Distinct Leaks = 1, Total Instances = 2, "
		"Total Bytes Leaked = 2000\n\n"
		"Leak #1, Instances = 2, Bytes Leaked = 2000\n"
		"  malloc + 0x00000000\n"
		"  grab + 0x00000008, line 21 in \"mt.c\"\n"
		"  worker + 0x00000008, line 17 in \"work.c\"\n");
	choice.filter.values[PROF_CONDITION_THREAD] = NULL;
	choice.filter.values[PROF_CONDITION_INTERVAL] = "2";
	choice.format = PROF_FORMAT_CSV;
	check_text(traced_show("leaks", &choice),
		"instances,bytes,stack\n"
		"1,4096,\"<Unknown> at 0x40;main + 0x00000008, line 54 in \"\"mt.c\"\";printf;"
		"malloc + 0x00000000\"\n");
}
END_TEST

/* The heading says what is missing. */
START_TEST(what_was_lost_is_said)
{
	struct prof_experiment *experiment = traced_create();

	experiment->recording.rate_asked = 0;
	experiment->recording.events_lost = 5;
	experiment->recording.uncontended = 43;
	char *text =
		show("leaks", experiment, &(struct prof_choice){.own = choose("leaks", "limit=1")});
	ck_assert_ptr_eq(
		strstr(text,
			"Traced: the heap, waits for other threads; 17 events, and 5 more "
			"that were lost:\ntotals are too low, and some reported leaks "
			"may not be leaks.\n"
			"Waits of 2 us and less were not recorded: the count of sync delay "
			"events may be low.\n"
			"A call that does not wait was measured to take 43 ns.\n"),
		text);
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("leaks", leaks_are_listed_by_stack, a_filter_leaves_its_part, what_was_lost_is_said)
