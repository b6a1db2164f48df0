/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of allocations. */
#include "traced_program.h"

START_TEST(allocations_are_listed_by_stack)
{
	check_text(
		traced_show("allocs",
			&(struct prof_choice){.folded = true, .own = choose("allocs", "limit=1")}),
		"Summary Results: Distinct Allocations = 2, Total Instances = 11, "
		"Total Bytes Allocated = 19096\n\n"
		"Allocation #1, Instances = 10, Bytes Allocated = 15000\n"
		"  malloc + 0x00000000\n"
		"  worker + 0x00000008, line 17 in \"work.c\"\n");
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

RUN_TESTS("allocs", allocations_are_listed_by_stack, json_has_the_same)
