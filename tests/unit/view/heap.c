/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of the heap. */
#include "traced_program.h"

START_TEST(statistics_are_by_size)
{
	check_text(traced_show("heap", &(struct prof_choice){0}),
		"Process With Highest Peak Memory Usage\n"
		"-------------------------------------------------------\n"
		"Heap size bytes                   6000\n"
		"Process Id                        4711\n"
		"Time of peak                      1.500 (secs.)\n"
		"\n"
		"Memory Allocations Statistics\n"
		"Allocation Size Range             Allocations\n"
		"-------------------------------------------------------\n"
		"  0KB - 1KB                       5\n"
		"  1KB - 8KB                       6\n"
		"\n"
		"Smallest allocation bytes         1000\n"
		"Largest allocation bytes          4096\n"
		"Total allocations                 11\n"
		"Total bytes                       19096\n"
		"Temporary allocations             3\n"
		"\n"
		"Memory Leaks Statistics\n"
		"Leak Size Range                   Leaks\n"
		"-------------------------------------------------------\n"
		"  0KB - 1KB                       2\n"
		"  1KB - 8KB                       3\n"
		"\n"
		"Smallest leaked bytes             1000\n"
		"Largest leaked bytes              4096\n"
		"Total leaked                      5\n"
		"Total bytes                       10096\n"
		"\n"
		"At the peak: Distinct Stacks = 1, Bytes = 6000\n"
		"\n"
		"Stack #1, Bytes = 6000\n"
		"  malloc + 0x00000000\n"
		"  grab + 0x00000008, line 21 in \"mt.c\"\n"
		"  worker + 0x00000008, line 17 in \"work.c\"\n");
}
END_TEST

/* What follows the statistics. */
static void check_mark(const char *mark, const char *expected)
{
	char option[32];
	snprintf(option, sizeof option, "mark=%s", mark);
	char *text = traced_show(
		"heap", &(struct prof_choice){.folded = true, .own = choose("heap", option)});
	const char *found = strstr(text, "Not freed at mark");

	ck_assert_ptr_nonnull(found);
	ck_assert_str_eq(found, expected);
	free(text);
}

START_TEST(a_mark_shows_what_was_there)
{
	check_mark("half",
		"Not freed at mark \"half\": Distinct Stacks = 1, Bytes = 5000, Blocks = 4\n\n"
		"Stack #1, Bytes = 5000, Blocks = 4\n"
		"  malloc + 0x00000000\n"
		"  worker + 0x00000008, line 17 in \"work.c\"\n");
	/* The number of the interval that ends there.  What has not changed is as it was. */
	check_mark("2",
		"Not freed at mark \"2\": Distinct Stacks = 2, Bytes = 8096, Blocks = 4\n\n"
		"Stack #1, Bytes = 4096, Blocks = 1\n"
		"  malloc + 0x00000000\n  printf\n"
		"  main + 0x00000008, line 54 in \"mt.c\"\n  <Unknown> at 0x40\n\n"
		"Stack #2, Bytes = 4000, Blocks = 3\n"
		"  malloc + 0x00000000\n"
		"  worker + 0x00000008, line 17 in \"work.c\"\n");
	check_mark("begin",
		"Not freed at mark \"begin\": Distinct Stacks = 0, Bytes = 0, Blocks = 0\n");
}
END_TEST

START_TEST(a_mark_that_is_not_there_is_an_error)
{
	static const char *const marks[] = {"no", "0", "3", "-1", "", "1x"};
	struct prof_experiment *experiment = traced_create();
	const struct prof_view *view = prof_view_find("heap");

	for (size_t i = 0; i < PROF_COUNT(marks); i++) {
		struct prof_text text = {0};
		char option[32];
		snprintf(option, sizeof option, "mark=%s", marks[i]);
		struct prof_choice choice = {.own = choose("heap", option)};
		ck_assert_error(prof_view_print(view, experiment, &choice, NULL, &text), "no mark");
		prof_text_deinit(&text);
	}
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(data_is_the_stacks)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .folded = true, .own = choose("heap", "mark=half")};

	check_text(traced_show("heap", &choice),
		"instances,bytes,stack\n"
		"4,5000,\"worker + 0x00000008, line 17 in \"\"work.c\"\";malloc + 0x00000000\"\n");
	choice.own = NULL;
	check_text(traced_show("heap", &choice),
		"instances,bytes,stack\n"
		",6000,\"worker + 0x00000008, line 17 in \"\"work.c\"\";malloc + 0x00000000\"\n");
}
END_TEST

RUN_TESTS("heap", statistics_are_by_size, a_mark_shows_what_was_there,
	a_mark_that_is_not_there_is_an_error, data_is_the_stacks)
