/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/groups.h"

#include "base/text.h"
#include "metric_stacks.h"

/* By group: exclusive and inclusive metrics of STACKS, in whole units, as "1/2 3/4". */
static char *measure(
	struct stacks *stacks, const char *const *own, const char *const *within, size_t groups)
{
	AUTO_GROUPING struct prof_grouping grouping = {0};
	/* It is made once. */
	const struct prof_profile *profile =
		stacks->profile.self ? &stacks->profile : stacks_profile(stacks);
	prof_value exclusive[4] = {0}, inclusive[4] = {0};
	struct prof_text text = {0};

	ck_assert_ok(prof_grouping_init(&grouping, prof_items_count(profile->items), groups));
	for (uint32_t i = 0; i < groups; i++) {
		for (const char *name = own[i]; *name; name++)
			grouping.own[stacks_function(stacks, (char[]){*name, '\0'})] = i;
		for (const char *name = within[i]; *name; name++)
			grouping.within[stacks_function(stacks, (char[]){*name, '\0'})] = i;
	}
	ck_assert_ok(prof_groups_measure(profile, &grouping, exclusive, inclusive));
	for (size_t i = 0; i < groups; i++)
		prof_text_print(&text, "%s%d/%d", i ? " " : "",
			(int)(exclusive[i] / PROF_VALUE_ONE), (int)(inclusive[i] / PROF_VALUE_ONE));
	return text.bytes;
}

#define expect(text, ...)                                    \
	do {                                                 \
		char *text_ = measure(&stacks, __VA_ARGS__); \
		ck_assert_str_eq(text_, text);               \
		free(text_);                                 \
	} while (0)

START_TEST(counts_a_stack_once_for_a_group)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "m a b a", prof_value_of(1));
	stacks_add(&stacks, "m b", prof_value_of(2));
	stacks_add(&stacks, "m a", prof_value_of(4));
	stacks_add(&stacks, "m", prof_value_of(8));
	expect("7/7 8/15", ((const char *const[]){"ab", "m"}), ((const char *const[]){"ab", "m"}),
		2);
	expect("5/5 2/3", ((const char *const[]){"a", "b"}), ((const char *const[]){"a", "b"}), 2);
}
END_TEST

START_TEST(tells_what_is_own_from_what_is_within)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "m a b", prof_value_of(1));
	stacks_add(&stacks, "m a", prof_value_of(2));
	expect("2/3", ((const char *const[]){"a"}), ((const char *const[]){"ab"}), 1);
	expect("1/0", ((const char *const[]){"b"}), ((const char *const[]){""}), 1);
}
END_TEST

START_TEST(leaves_empty_groups_alone)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "m", prof_value_of(1));
	expect("1/1 0/0", ((const char *const[]){"m", ""}), ((const char *const[]){"m", ""}), 2);
}
END_TEST

RUN_TESTS("groups", counts_a_stack_once_for_a_group, tells_what_is_own_from_what_is_within,
	leaves_empty_groups_alone)
