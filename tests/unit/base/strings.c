/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/strings.h"

#include "suite.h"

#include <stdio.h>
#include <string.h>

static uint32_t add(struct prof_strings *strings, const char *text)
{
	uint32_t id = PROF_NONE;

	ck_assert_ok(prof_strings_add(strings, text, strlen(text), &id));
	return id;
}

START_TEST(numbers_strings_in_the_order_of_adding)
{
	struct prof_strings strings = {0};

	ck_assert_uint_eq(prof_strings_find(&strings, "a"), PROF_NONE);
	ck_assert_uint_eq(add(&strings, "a"), 0);
	ck_assert_uint_eq(add(&strings, ""), 1);
	ck_assert_uint_eq(add(&strings, "b"), 2);
	ck_assert_uint_eq(add(&strings, "a"), 0);
	ck_assert_uint_eq(add(&strings, ""), 1);
	ck_assert_uint_eq(strings.texts.count, 3);
	ck_assert_str_eq(prof_strings_get(&strings, 2), "b");
	ck_assert_uint_eq(prof_strings_find(&strings, ""), 1);
	ck_assert_uint_eq(prof_strings_find(&strings, "c"), PROF_NONE);
	prof_strings_deinit(&strings);
}
END_TEST

START_TEST(takes_a_part_of_a_text)
{
	struct prof_strings strings = {0};
	uint32_t id;

	ck_assert_ok(prof_strings_add(&strings, "main;rest", 4, &id));
	ck_assert_str_eq(prof_strings_get(&strings, id), "main");
	ck_assert_uint_eq(prof_strings_find(&strings, "main"), id);
	ck_assert_uint_eq(prof_strings_find(&strings, "main;rest"), PROF_NONE);
	/* One is the other's beginning. */
	ck_assert_uint_ne(add(&strings, "mai"), id);
	ck_assert_uint_ne(add(&strings, "mainly"), id);
	prof_strings_deinit(&strings);
}
END_TEST

START_TEST(nul_ends_a_text)
{
	struct prof_strings strings = {0};
	uint32_t id, again;

	ck_assert_ok(prof_strings_add(&strings, "ab\0cd", 5, &id));
	ck_assert_ok(prof_strings_add(&strings, "ab", 2, &again));
	ck_assert_uint_eq(id, again);
	ck_assert_str_eq(prof_strings_get(&strings, id), "ab");
	prof_strings_deinit(&strings);
}
END_TEST

START_TEST(copies_its_texts)
{
	struct prof_strings strings = {0};
	char text[] = "before";
	uint32_t id = add(&strings, text);

	strcpy(text, "after");
	ck_assert_str_eq(prof_strings_get(&strings, id), "before");
	prof_strings_deinit(&strings);
	ck_assert_uint_eq(strings.texts.count, 0);
}
END_TEST

START_TEST(keeps_many)
{
	struct prof_strings strings = {0};
	char text[32];

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 20000; i++) {
			snprintf(text, sizeof text, "%u_%s", i * 7919, i % 2 ? "" : "name");
			if (add(&strings, text) != i ||
				strcmp(prof_strings_get(&strings, i), text) != 0)
				ck_abort_msg("%s", text);
		}
	}
	prof_strings_deinit(&strings);
}
END_TEST

RUN_TESTS("base_strings", numbers_strings_in_the_order_of_adding, takes_a_part_of_a_text,
	nul_ends_a_text, copies_its_texts, keeps_many)
