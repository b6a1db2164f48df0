/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/hot_lines.h"

#include "base/text.h"
#include "metric_stacks.h"

#include <inttypes.h>

/*
 * Stacks of lines: "f3" is line 3 of the function f.  The profile's items are these; each has a
 * function by the letter.
 */
static void expect(struct stacks *stacks, const char *expected)
{
	struct prof_profile *profile = (struct prof_profile *)stacks_profile(stacks);
	AUTO_HOT_LINES struct prof_hot_lines hot = {0};
	AUTO_ITEMS struct prof_items items = {.kind = PROF_KIND_LINES};
	AUTO_TEXT struct prof_text text = {0};
	char value[PROF_VALUE_TEXT];

	for (uint32_t i = 0; i < STACKS_NAMES && stacks->names[i][0]; i++) {
		struct prof_line *line = prof_array_push(&items.lines);
		ck_assert_ptr_nonnull(line);
		*line = (struct prof_line){.function = (uint32_t)stacks->names[i][0],
			.line = (uint32_t)atoi(stacks->names[i] + 1)};
	}
	profile->items = &items;
	ck_assert_ok(prof_hot_lines_find(&hot, profile));
	for (size_t i = 0; i < hot.steps.count; i++) {
		const struct prof_hot_step *step = &hot.steps.items[i];
		prof_text_print(&text, "%c %s", (char)step->function,
			prof_value_print(step->in_or_under, 1, value));
		prof_text_print(&text, " %s:", prof_value_print(step->in_only, 1, value));
		for (size_t j = 0; j < step->lines; j++) {
			const struct prof_hot_line *line = &hot.lines.items[step->first + j];
			ck_assert_uint_eq(line->step, i);
			prof_text_print(&text, " %" PRIu32 "=%s",
				items.lines.items[line->item].line,
				prof_value_print(line->value, 1, value));
		}
		prof_text_print(&text, "\n");
	}
	prof_text_print(&text, "next %s\n", prof_value_print(hot.next, 1, value));
	ck_assert_str_eq(prof_text_get(&text), expected);
}

static void add(struct stacks *stacks, const char *text, int samples)
{
	stacks_add(stacks, text, prof_value_of(samples));
}

START_TEST(has_the_lines_that_call_and_those_that_spend)
{
	AUTO_STACKS struct stacks stacks = {0};

	add(&stacks, "m1 f5 w9", 3);
	add(&stacks, "m1 f6 w9", 4);
	add(&stacks, "m2 f6 w8", 1);
	add(&stacks, "m3 g7", 2);
	expect(&stacks, "m 10 0: 1=7 2=1\nf 8 0: 6=5 5=3\nw 8 8: 9=7 8=1\nnext 0\n");
}
END_TEST

START_TEST(of_recursion_the_call_from_the_step_before_counts_once)
{
	AUTO_STACKS struct stacks stacks = {0};

	/* The innermost instance of f calls w, and the outermost is called by m. */
	add(&stacks, "m1 f5 f5 f7 w9", 6);
	add(&stacks, "m1 f7 w9", 4);
	expect(&stacks, "m 10 0: 1=10\nf 10 0: 7=10\nw 10 10: 9=10\nnext 0\n");
}
END_TEST

START_TEST(recursion_by_way_of_others_goes_on)
{
	AUTO_STACKS struct stacks stacks = {0};

	add(&stacks, "r1 s2 r1 w3", 6);
	add(&stacks, "r1 s2 r1 s2 r1 w4", 4);
	expect(&stacks, "r 10 0: 1=10\ns 10 0: 2=10\nr 10 0: 1=10\nw 10 10: 3=6 4=4\nnext 0\n");
}
END_TEST

START_TEST(has_what_the_next_callee_has)
{
	AUTO_STACKS struct stacks stacks = {0};

	add(&stacks, "m1", 6);
	add(&stacks, "m1 a2", 4);
	expect(&stacks, "m 10 6: 1=6\nnext 4\n");
}
END_TEST

RUN_TESTS("hot_lines", recursion_by_way_of_others_goes_on,
	has_the_lines_that_call_and_those_that_spend,
	of_recursion_the_call_from_the_step_before_counts_once, has_what_the_next_callee_has)
