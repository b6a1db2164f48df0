/* Lists of leaks and of allocations. */
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

START_TEST(allocations_are_listed_by_stack)
{
	check_text(traced_show("allocs", &(struct prof_choice){.limit = 1, .folded = true}),
		"Summary Results: Distinct Allocations = 2, Total Instances = 11, "
		"Total Bytes Allocated = 19096\n\n"
		"Allocation #1, Instances = 10, Bytes Allocated = 15000\n"
		"  malloc + 0x00000000\n"
		"  worker + 0x00000008, line 17 in \"work.c\"\n");
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

START_TEST(json_has_the_same)
{
	char *text = traced_show("allocs", &(struct prof_choice){.format = PROF_FORMAT_JSON});

	ck_assert_ptr_nonnull(strstr(text, "\"allocs\""));
	ck_assert_ptr_nonnull(strstr(text, "15000"));
	ck_assert_ptr_nonnull(strstr(text, "grab + 0x00000008, line 21 in \\\"mt.c\\\""));
	free(text);
}
END_TEST

START_TEST(without_tracing_it_is_said)
{
	struct prof_experiment *experiment = experiment_of("a 1\n", false);

	check_text(show("leaks", experiment, &(struct prof_choice){0}),
		"No allocations: prof-start --heap records them.\n");
	check_text(show("heap", experiment, &(struct prof_choice){0}),
		"No allocations: prof-start --heap records them.\n");
	check_text(show("locks", experiment, &(struct prof_choice){0}),
		"No waits for other threads: prof-start --sync records them.\n");
	prof_experiment_destroy(experiment);
}
END_TEST

/* Views of what was sampled show nothing of what was traced, and the other way round. */
START_TEST(tracing_and_sampling_are_apart)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = traced_create();
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(3)};

	add_stack(experiment, "busy", ';', values);
	choice.format = PROF_FORMAT_CSV;
	check_text(show("functions", experiment, &choice),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,3,3,100,100\nbusy,3,3,100,100\n");
	choice.metrics = "e.leaked:i.allocs";
	check_text(show("functions", experiment, &choice),
		"name,leaked_exclusive,allocs_inclusive\n"
		"<Total>,10096,11\nmalloc,10096,11\n<Unknown>,0,1\ngrab,0,10\nmain,0,1\n"
		"printf,0,1\nworker,0,10\n");
	prof_experiment_destroy(experiment);
}
END_TEST

/* The heading says what is missing. */
START_TEST(what_was_lost_is_said)
{
	struct prof_experiment *experiment = traced_create();

	experiment->recording.rate_asked = 0;
	experiment->recording.events_lost = 5;
	experiment->recording.uncontended = 43;
	char *text = show("leaks", experiment, &(struct prof_choice){.limit = 1});
	ck_assert_ptr_eq(
		strstr(text,
			"Traced: the heap, waits for other threads; 17 events, and 5 more "
			"that were lost:\nall that is shown of them is too low, and leaks "
			"may be none.\n"
			"Waits of 2 us and less were not recorded: the count of sync delay "
			"events may be low.\n"
			"A call that does not wait was measured to take 43 ns.\n"),
		text);
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(java_is_told_of)
{
	static const char sentence[] = "Java is not supported: its own objects and locks";
	struct prof_experiment *experiment = traced_create();
	uint32_t module;

	char *text = show("locks", experiment, &(struct prof_choice){0});
	ck_assert_ptr_null(strstr(text, sentence));
	free(text);
	ck_assert_ok(prof_experiment_module(
		experiment, "/usr/lib/jvm/lib/server/libjvm.so", "", &module));
	text = show("locks", experiment, &(struct prof_choice){0});
	ck_assert_ptr_nonnull(strstr(text, sentence));
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("blocks", java_is_told_of, leaks_are_listed_by_stack, allocations_are_listed_by_stack,
	a_filter_leaves_its_part, json_has_the_same, without_tracing_it_is_said,
	tracing_and_sampling_are_apart, what_was_lost_is_said)
