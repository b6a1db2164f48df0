/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads waited for. */
#include "traced_program.h"

START_TEST(objects_are_sorted_by_wait)
{
	check_text(traced_show("locks", &(struct prof_choice){0}),
		"Sync Wait  Sync Delay   Longest\n"
		"     Time      Events      Wait\n"
		"     sec.                  sec.  Object\n"
		"12.500000          11  7.000000  <Total>\n"
		" 7.000000           1  7.000000  0x6000\n"
		" 7.000000           1  7.000000    20 mt waited\n"
		" 5.500000          10  0.600000  lock (0x5000)\n"
		" 3.500000           6  0.600000    22 two\\x1b waited for 21 one\n"
		" 2.000000           4  0.500000    21 one waited for 22 two\\x1b\n");
}
END_TEST

START_TEST(data_has_a_row_for_each_pair_of_threads)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.filter.values[PROF_CONDITION_THREAD] = "21,22";
	check_text(traced_show("locks", &choice),
		"object,address,thread,thread_id,holder,holder_id,sync_events,sync_wait,longest\n"
		"lock,0x5000,two\\x1b,22,one,21,6,3.5,0.6\n"
		"lock,0x5000,one,21,two\\x1b,22,4,2,0.5\n");
}
END_TEST

START_TEST(a_limit_is_of_objects)
{
	check_words(traced_show("locks", &(struct prof_choice){.own = choose("locks", "limit=1")}),
		"Sync Wait Sync Delay Longest\nTime Events Wait\nsec. sec. Object\n"
		"12.500000 11 7.000000 <Total>\n"
		"7.000000 1 7.000000 0x6000\n7.000000 1 7.000000 20 mt waited\n");
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
	a_limit_is_of_objects, functions_have_waits_too)
