/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/text_cache.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t find(const struct prof_text_cache *cache, const char *text, size_t length)
{
	return prof_text_cache_find(cache, prof_text_cache_key(text, length), text, length);
}

static void add(struct prof_text_cache *cache, const char *text, size_t length, uint32_t value)
{
	ck_assert(
		prof_text_cache_add(cache, prof_text_cache_key(text, length), text, length, value));
}

START_TEST(finds_the_number_of_each_text)
{
	enum { TEXTS = 50000 };
	struct prof_text_cache cache = {0};
	char text[16];

	for (uint32_t i = 0; i < TEXTS; i++) {
		size_t length = (size_t)snprintf(text, sizeof text, "%u", i * 7);
		ck_assert_uint_eq(find(&cache, text, length), PROF_NONE);
		add(&cache, text, length, i);
	}
	for (uint32_t i = 0; i < TEXTS; i++) {
		size_t length = (size_t)snprintf(text, sizeof text, "%u", i * 7);
		ck_assert_uint_eq(find(&cache, text, length), i);
	}
	prof_text_cache_deinit(&cache);
}
END_TEST

START_TEST(a_text_is_not_its_beginning)
{
	struct prof_text_cache cache = {0};

	add(&cache, "main;f", 6, 1);
	ck_assert_uint_eq(find(&cache, "main;f", 4), PROF_NONE);
	ck_assert_uint_eq(find(&cache, "main;f1", 7), PROF_NONE);
	add(&cache, "", 0, 2);
	ck_assert_uint_eq(find(&cache, "x", 0), 2);
	prof_text_cache_deinit(&cache);
}
END_TEST

/* Keys are hashes: it is the bytes that count. */
START_TEST(texts_with_the_same_key_are_told_apart)
{
	struct prof_text_cache cache = {0};

	ck_assert(prof_text_cache_add(&cache, 5, "ab", 2, 1));
	ck_assert(prof_text_cache_add(&cache, 5, "cd", 2, 2));
	ck_assert_uint_eq(prof_text_cache_find(&cache, 5, "cd", 2), 2);
	ck_assert_uint_eq(prof_text_cache_find(&cache, 5, "ab", 2), 1);
	ck_assert_uint_eq(prof_text_cache_find(&cache, 5, "ef", 2), PROF_NONE);
	prof_text_cache_deinit(&cache);
}
END_TEST

START_TEST(is_full_after_some_megabytes)
{
	enum { LENGTH = 1 << 20 };
	struct prof_text_cache cache = {0};
	AUTO_FREE char *text = calloc(1, LENGTH);
	uint32_t added = 0;

	for (; !prof_text_cache_is_full(&cache); added++) {
		memcpy(text, &added, sizeof added);
		add(&cache, text, LENGTH, added);
		ck_assert_uint_lt(added, 64);
	}
	prof_text_cache_deinit(&cache);
	ck_assert(!prof_text_cache_is_full(&cache));
	ck_assert_uint_eq(find(&cache, text, LENGTH), PROF_NONE);
}
END_TEST

RUN_TESTS("text_cache", finds_the_number_of_each_text, a_text_is_not_its_beginning,
	texts_with_the_same_key_are_told_apart, is_full_after_some_megabytes)
