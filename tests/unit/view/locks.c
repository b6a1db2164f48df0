/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads waited for. */
#include "traced_program.h"

START_TEST(objects_are_sorted_by_wait)
{
	check_text(traced_show("locks", &(struct prof_choice){0}),
		"        Sync Wait   Delay   Longest\n"
		"             Time  Events      Wait\n"
		"     %       sec.              sec.  Object\n"
		"100.00  12.500000      11  7.000000  <Total>\n"
		" 56.00   7.000000       1  7.000000  0x6000\n"
		" 56.00   7.000000       1  7.000000    20 mt waited\n"
		"                                         waits in main at mt.c:54\n"
		" 44.00   5.500000      10  0.600000  lock (0x5000)\n"
		" 28.00   3.500000       6  0.600000    22 two\\x1b waited for 21 one\n"
		"                                         waits in grab at mt.c:21\n"
		"                                         taken in grab at mt.c:21\n"
		" 16.00   2.000000       4  0.500000    21 one waited for 22 two\\x1b\n"
		"                                         waits in grab at mt.c:21\n"
		"                                         taken in grab at mt.c:21\n");
}
END_TEST

START_TEST(data_has_a_row_for_each_pair_of_threads)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.filter.values[PROF_CONDITION_THREAD] = "21,22";
	check_text(traced_show("locks", &choice),
		"object,address,thread,thread_id,holder,holder_id,sync_events,sync_wait,longest,"
		"function,file,line,holder_function,holder_file,holder_line\n"
		"lock,0x5000,two\\x1b,22,one,21,6,3.5,0.6,grab,mt.c,21,grab,mt.c,21\n"
		"lock,0x5000,one,21,two\\x1b,22,4,2,0.5,grab,mt.c,21,grab,mt.c,21\n");
}
END_TEST

START_TEST(a_limit_is_of_objects)
{
	check_words(traced_show("locks", &(struct prof_choice){.own = choose("locks", "limit=1")}),
		"Sync Wait Delay Longest\nTime Events Wait\n% sec. sec. Object\n"
		"100.00 12.500000 11 7.000000 <Total>\n"
		"56.00 7.000000 1 7.000000 0x6000\n56.00 7.000000 1 7.000000 20 mt waited\n"
		"waits in main at mt.c:54\n");
}
END_TEST

START_TEST(a_screen_has_the_longest_and_sums_of_the_rest)
{
	struct prof_experiment *experiment = traced_create();
	struct prof_choice choice = {.markup = {.screen = true, .columns = 79}};
	uint32_t module, thread;

	ck_assert_ok(prof_experiment_module(experiment, "/bin/mt", "", &module));
	uint32_t frame = program_frame(experiment, module, 0x500, "look", "mt.c", 60, NULL);
	for (int i = 0; i < 8; i++) {
		ck_assert_ok(prof_experiment_thread(experiment, 30 + i, "t", &thread));
		traced_wait(experiment, &frame, 1, thread, PROF_NONE, 0x5000, "lock", 1, 4000 - i);
	}
	for (uint64_t i = 0; i < 12; i++)
		traced_wait(experiment, &frame, 1, thread, PROF_NONE, 0x7000 + i, "", 1, 1);
	char *shown = show("locks", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(shown, "    <6 other rows>\n"));
	ck_assert_ptr_nonnull(strstr(shown, "  <4 other objects>\n"));
	ck_assert_ptr_null(strstr(shown, "36 t waited\n"));
	free(shown);
	choice.own = choose("locks", "limit=100");
	shown = show("locks", experiment, &choice);
	ck_assert_ptr_null(strstr(shown, "other"));
	free(shown);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(functions_have_waits_too)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.metrics = "i.sync-wait:i.sync-events";
	check_text(traced_show("functions", &choice),
		"name,sync-wait_inclusive,sync-events_inclusive\n"
		"<Total>,12.5,11\nmain,7,1\ngrab,5.5,10\nworker,5.5,10\n");
}
END_TEST

RUN_TESTS("locks", objects_are_sorted_by_wait, data_has_a_row_for_each_pair_of_threads,
	a_limit_is_of_objects, a_screen_has_the_longest_and_sums_of_the_rest,
	functions_have_waits_too)
