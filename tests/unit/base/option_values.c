/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options and arguments as words of a command line. */
#include "base/option_values.h"

#include "suite.h"

#include <string.h>

static const char *const sides[] = {"left", "right"};

static const struct prof_option rows[] = {
	{.name = "all"},
	{.name = "also"},
	{.name = "side", .value = "SIDE", .words = sides, .words_count = 2},
	{.name = "names", .value = "NAME,..."},
	{.name = "maybe", .value = "N", .optional = true},
	{.name = NULL},
};

/* Reads LINE, words with a blank between them, of which none is longer than a test writes. */
static struct prof_error *read_line(struct prof_option_values *ret, char *line)
{
	char *words[16] = {"command"};
	int count = 1;

	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[count++] = word;
	return prof_option_values_read(ret, rows, words, count, "help command");
}

static void refused(const char *line, const char *message)
{
	struct prof_option_values values = {0};
	char copy[128];

	strcpy(copy, line);
	struct prof_error *error = read_line(&values, copy);
	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_USAGE);
	ck_assert_str_eq(prof_error_message(error), message);
	prof_error_destroy(error);
	ck_assert_ptr_null(values.values);
}

START_TEST(options_and_arguments_are_told_apart)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	char line[] = "one --side=left -all two --maybe -- --also";

	ck_assert_ok(read_line(&values, line));
	ck_assert_str_eq(prof_option_values_get(&values, "side"), "left");
	ck_assert_str_eq(prof_option_values_get(&values, "all"), "");
	ck_assert_str_eq(prof_option_values_get(&values, "maybe"), "");
	ck_assert_ptr_null(prof_option_values_get(&values, "also"));
	ck_assert_uint_eq(values.count, 3);
	ck_assert_str_eq(values.arguments[0], "one");
	ck_assert_str_eq(values.arguments[1], "two");
	ck_assert_str_eq(values.arguments[2], "--also");
}
END_TEST

START_TEST(names_and_words_may_be_shortened)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	char line[] = "--si r --maybe=3";

	ck_assert_ok(read_line(&values, line));
	ck_assert_str_eq(prof_option_values_get(&values, "side"), "right");
	ck_assert_str_eq(prof_option_values_get(&values, "maybe"), "3");
}
END_TEST

START_TEST(lists_add_up_and_other_options_are_the_last)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	char line[] = "--names=a,b --side=left --names=c --names d --side=right";

	ck_assert_ok(read_line(&values, line));
	ck_assert_str_eq(prof_option_values_get(&values, "names"), "a,b,c,d");
	ck_assert_str_eq(prof_option_values_get(&values, "side"), "right");
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
	refused("--nothing", "command has no option \"--nothing\"; see \"help command\".");
	refused("--al", "The option \"--al\" is ambiguous: it can be --all, --also.");
	refused("--side", "The option --side needs a value; see \"help command\".");
	refused("--all=1", "The option --all takes no value: leave out \"=1\".");
	refused("--side=up", "\"up\" is not a value of --side: give one of left, right.");
}
END_TEST

/* As with other tools, although --object begins so too. */
START_TEST(o_is_the_output)
{
	static const struct prof_option files[] = {
		{.name = "object", .value = "NAME"},
		{.name = "output", .value = "FILE"},
		{.name = NULL},
	};
	static const char *const lines[][2] = {{"-o", "x"}, {"-ox", "y"}, {"--output", "x"}};

	for (size_t i = 0; i < PROF_COUNT(lines); i++) {
		PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
		char *words[] = {"command", (char *)lines[i][0], (char *)lines[i][1], NULL};
		ck_assert_ok(prof_option_values_read(&values, files, words, 3, "help command"));
		ck_assert_str_eq(prof_option_values_get(&values, "output"), "x");
		ck_assert_ptr_null(prof_option_values_get(&values, "object"));
		ck_assert_uint_eq(values.count, i == 1);
	}
	refused("-o x", "command has no option \"-o\"; see \"help command\".");
}
END_TEST

START_TEST(an_option_that_is_given_twice_is_a_pair)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	char line[] = "--names=a,b --side=left --names=c --maybe=1 --maybe=2 --maybe=3";

	ck_assert_ok(read_line(&values, line));
	const struct prof_option_pair *pair = prof_option_values_pair(&values, "names");
	ck_assert_ptr_nonnull(pair);
	ck_assert_str_eq(pair->first, "a,b");
	ck_assert_str_eq(pair->last, "c");
	ck_assert_ptr_null(prof_option_values_pair(&values, "all"));
	ck_assert_ptr_null(prof_option_values_pair(&values, "side"));
	ck_assert_ptr_null(prof_option_values_pair(&values, "maybe"));
}
END_TEST

RUN_TESTS("option_values", options_and_arguments_are_told_apart, names_and_words_may_be_shortened,
	lists_add_up_and_other_options_are_the_last, what_is_wrong_is_said, o_is_the_output,
	an_option_that_is_given_twice_is_a_pair)
