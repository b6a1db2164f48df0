/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/word.h"

#include "metric/collapse.h"
#include "plugin/engine/engine.h"

#include "suite.h"

/* The engines of this test. */
static const struct engine one = {.name = "one"}, other = {.name = "other"};

const struct engine *const engines[] = {&one, &other, NULL};

/* WORD has WORDS, one after the other, and no more. */
static void check_words(const char *(*word)(size_t index), const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_str_eq(word(i), words[i]);
	ck_assert_ptr_null(word(count));
}

START_TEST(engines_are_behind_the_best_one)
{
	static const char *const words[] = {"auto", "one", "other"};

	check_words(word_of_engine, words, PROF_COUNT(words));
}
END_TEST

START_TEST(switches_and_clocks_have_two_words)
{
	static const char *const switches[] = {"on", "off"};
	static const char *const clocks[] = {"cpu", "wall"};

	check_words(word_of_switch, switches, PROF_COUNT(switches));
	check_words(word_of_clock, clocks, PROF_COUNT(clocks));
}
END_TEST

START_TEST(degrees_are_those_of_their_table)
{
	check_words(word_of_degree, prof_degree_names, PROF_DEGREES);
}
END_TEST

/* The kernel has its software events everywhere. */
START_TEST(counters_are_those_of_this_machine_without_tracepoints)
{
	bool found = false;
	const char *word;

	for (size_t i = 0; (word = word_of_counter(i)); i++) {
		found |= !strcmp(word, "page-faults");
		ck_assert_ptr_null(strstr(word, "sched:"));
	}
	ck_assert(found);
	/* The list is read again. */
	ck_assert_ptr_nonnull(word_of_counter(0));
}
END_TEST

RUN_TESTS("word", engines_are_behind_the_best_one, switches_and_clocks_have_two_words,
	degrees_are_those_of_their_table, counters_are_those_of_this_machine_without_tracepoints)
