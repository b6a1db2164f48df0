/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options by a table: values stored by kind, and refused. */
#include "suite.h"

#include "base/option.h"

enum size {
	SMALL,
	MIDDLE,
	LARGE,
};

struct common {
	enum size size;
	const char *text;
};

struct own {
	bool flag, second;
	uint64_t number;
	double percent;
	enum size size;
};

static const char *word_of(size_t index)
{
	static const char *const words[] = {"one", "two", NULL};

	return words[index];
}

static const char *const sizes[] = {"small", "middle", "large"};
static const char *const sides[] = {"left", "right"};

static const struct prof_option rows[] = {
	{.name = "flag", .kind = PROF_OPTION_FLAG, .offset = offsetof(struct own, flag)},
	{.name = "number",
		.value = "N",
		.kind = PROF_OPTION_NUMBER,
		.least = 3,
		.offset = offsetof(struct own, number)},
	{.name = "percent",
		.value = "P",
		.kind = PROF_OPTION_PERCENT,
		.offset = offsetof(struct own, percent)},
	{.name = "side",
		.value = "SIDE",
		.words = sides,
		.words_count = 2,
		.kind = PROF_OPTION_SECOND,
		.offset = offsetof(struct own, second)},
	/* The first size cannot be chosen. */
	{.name = "size",
		.value = "SIZE",
		.words = sizes + MIDDLE,
		.words_count = 2,
		.kind = PROF_OPTION_WORD,
		.least = MIDDLE,
		.offset = offsetof(struct own, size)},
	{.name = "all",
		.value = "SIZE",
		.words = sizes,
		.words_count = 3,
		.kind = PROF_OPTION_WORD,
		.common = true,
		.offset = offsetof(struct common, size)},
	{.name = "list",
		.value = "TEXT,...",
		.word = word_of,
		.open = true,
		.kind = PROF_OPTION_TEXT,
		.common = true,
		.offset = offsetof(struct common, text)},
	{.name = "one", .value = "TEXT", .word = word_of, .open = true},
	{.name = NULL},
};

static struct common common;
static struct own own;

/* Stores VALUE of the option NAME, after a check. */
static struct prof_error *store(const char *name, const char *value)
{
	const struct prof_option *option = prof_option_find(rows, name);
	struct prof_error *error = option->value ? prof_option_check(option, &value) : NULL;

	return error ? error : prof_option_store(option, value, &common, &own);
}

START_TEST(finds_rows_and_words)
{
	ck_assert_ptr_eq(prof_option_find(rows, "size"), &rows[4]);
	ck_assert_ptr_null(prof_option_find(rows, "sizes"));
	ck_assert_str_eq(prof_option_word(&rows[4], 1), "large");
	ck_assert_ptr_null(prof_option_word(&rows[4], 2));
	ck_assert_str_eq(prof_option_word(&rows[6], 1), "two");
	ck_assert_ptr_null(prof_option_word(&rows[6], 2));
	ck_assert_ptr_null(prof_option_word(&rows[1], 0));
	ck_assert(prof_option_is_list(&rows[6]));
	ck_assert(!prof_option_is_list(&rows[7]));
	ck_assert(!prof_option_is_list(&rows[0]));
}
END_TEST

START_TEST(stores_each_kind_in_its_member)
{
	ck_assert_ok(store("flag", ""));
	ck_assert_ok(store("number", "12"));
	ck_assert_ok(store("percent", "12.5"));
	ck_assert_ok(store("side", "right"));
	ck_assert_ok(store("size", "large"));
	ck_assert_ok(store("all", "middle"));
	ck_assert_ok(store("list", "two,five"));
	ck_assert_ok(store("one", "two"));
	ck_assert(own.flag);
	ck_assert_uint_eq(own.number, 12);
	ck_assert(own.percent == 12.5);
	ck_assert(own.second);
	ck_assert_int_eq(own.size, LARGE);
	ck_assert_int_eq(common.size, MIDDLE);
	ck_assert_str_eq(common.text, "two,five");
	ck_assert_ok(store("side", "left"));
	ck_assert(!own.second);
}
END_TEST

START_TEST(takes_abbreviations_that_are_not_ambiguous)
{
	static const char *const words[] = {"data", "database", "cup"};
	const struct prof_option option = {
		.name = "x", .value = "X", .words = words, .words_count = 3};
	const char *value = "c";

	ck_assert_ok(prof_option_check(&option, &value));
	ck_assert_str_eq(value, "cup");
	value = "data";
	ck_assert_ok(prof_option_check(&option, &value));
	ck_assert_str_eq(value, "data");
	value = "dat";
	ck_assert_error(prof_option_check(&option, &value),
		"\"dat\" is not a value of --x: give one of data, database, cup.");
}
END_TEST

START_TEST(refuses_what_an_option_cannot_be)
{
	static const struct {
		const char *name, *value, *why;
	} refused[] = {
		{"number", "2", "--number takes a whole number of at least 3, not \"2\"."},
		{"number", "-4", "--number takes a whole number of at least 3, not \"-4\"."},
		{"number", "4.5", "not \"4.5\"."},
		{"number", "", "not \"\"."},
		{"number", "99999999999999999999", "not \"99999999999999999999\"."},
		{"percent", "100.1", "--percent takes a number from 0 to 100, not \"100.1\"."},
		{"percent", "-1", "not \"-1\"."},
		{"percent", "nan", "not \"nan\"."},
		{"percent", "5%", "not \"5%\"."},
		{"percent", "", "not \"\"."},
		{"size", "small", "\"small\" is not a value of --size: give one of middle, large."},
		{"size", "", "\"\" is not a value of --size: give one of middle, large."},
		{"size", "middle,large",
			"--size takes one value, not the list \"middle,large\": give one of middle, large."},
		{"one", "one,two", "--one takes one value, not the list \"one,two\""},
	};
	const struct own before = own;

	for (size_t i = 0; i < PROF_COUNT(refused); i++)
		ck_assert_error(store(refused[i].name, refused[i].value), refused[i].why);
	ck_assert_uint_eq(own.number, before.number);
	ck_assert(own.percent == before.percent);
	ck_assert_int_eq(own.size, before.size);
}
END_TEST

RUN_TESTS("option", finds_rows_and_words, stores_each_kind_in_its_member,
	takes_abbreviations_that_are_not_ambiguous, refuses_what_an_option_cannot_be)
