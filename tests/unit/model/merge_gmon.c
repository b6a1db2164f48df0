/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/merge.h"

#include "gmon_support.h"
#include "experiment_support.h"

static const struct call calls[] = {{'m', 'a', 2}, {'a', 'b', 3}, {0, 0, 0}};
static const unsigned ticks[] = {
	1, 2, 3, 0}; /* by function: as many as a program of these tests has */

/* Counts of a program of the functions NAMES, from the file "x". */
static struct prof_experiment *make_of(const char *names)
{
	struct prof_experiment *experiment = make_gmon(names, ticks, calls);

	free(experiment->recording.source);
	experiment->recording.source = strdup("x");
	return experiment;
}

/* Counts whose program is not known, as they are when files are read. */
static struct prof_experiment *make(void)
{
	struct prof_experiment *experiment = make_of("mab");

	forget_program(experiment);
	return experiment;
}

START_TEST(sums_have_all_of_both)
{
	AUTO_EXPERIMENT struct prof_experiment *into = make();
	AUTO_EXPERIMENT struct prof_experiment *from = make();

	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	prof_experiment_check(into);
	ck_assert_uint_eq(into->gmon.arcs.count, 4);
	ck_assert_uint_eq(into->gmon.arcs.items[3].calls, 3);
	ck_assert_uint_eq(into->gmon.histograms.count, 1);
	ck_assert_uint_eq(into->gmon.bins.count, 3);
	ck_assert_uint_eq(ticks_in(&into->gmon, 0, 0), 2);
	ck_assert_uint_eq(from->gmon.arcs.count, 2);
}
END_TEST

START_TEST(calls_alone_take_over_what_is_counted)
{
	AUTO_EXPERIMENT struct prof_experiment *from = make();
	AUTO_EXPERIMENT struct prof_experiment *into = NULL;

	ck_assert_ok(prof_experiment_create(&into));
	into->gmon.word = 8;
	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	ck_assert_uint_eq(into->gmon.rate, 100);
	ck_assert_str_eq(into->gmon.dimension, "seconds");
	ck_assert_str_eq(into->gmon.unit, "s");
	ck_assert_double_eq(prof_gmon_scale(&into->gmon), 2);
}
END_TEST

static void assert_not_added(const struct prof_experiment *from, const char *part)
{
	AUTO_EXPERIMENT struct prof_experiment *into = make();

	ck_assert_error(prof_experiment_merge(into, from, NULL), part);
	ck_assert_uint_eq(into->gmon.arcs.count, 2);
}

START_TEST(what_counts_something_else_is_not_added)
{
	AUTO_EXPERIMENT struct prof_experiment *from = make();

	from->gmon.word = 4;
	assert_not_added(from, "they are of another kind of machine.");
	from->gmon.word = 8;
	*from->gmon.unit = 'm';
	assert_not_added(from, "their histogram counts something else.");
	*from->gmon.unit = 's';
	from->gmon.histograms.items[0].low += 16;
	assert_not_added(from,
		"The counts of \"x\" cannot be added to those before them: "
		"their histogram overlaps another histogram.");
	from->gmon.histograms.items[0].low -= 16;
	from->gmon.bins.items[0].samples = UINT32_MAX;
	assert_not_added(from, "together they have too many samples.");
}
END_TEST

/* Adds a line of "x.c" to the symbols of EXPERIMENT's program. */
static void add_line(struct prof_experiment *experiment, uint32_t number)
{
	struct prof_image_symbol *line = prof_array_push(&experiment->gmon.lines);

	*line = experiment->gmon.functions.items[1];
	line->function = PROF_NONE;
	line->line = number;
	ck_assert_ok(prof_experiment_string(experiment, "x.c", &line->file));
}

START_TEST(counts_of_one_program_are_added)
{
	AUTO_EXPERIMENT struct prof_experiment *into = make_of("mab");
	AUTO_EXPERIMENT struct prof_experiment *from = NULL;
	uint32_t other;

	/* Strings and functions have other numbers there. */
	ck_assert_ok(prof_experiment_create(&from));
	ck_assert_ok(prof_experiment_function(from, "other", 5, 0, &other));
	from->gmon.word = 8;
	add_symbols(from, "mab");
	add_line(into, 5);
	add_line(from, 5);
	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	prof_experiment_check(into);
	ck_assert_uint_eq(into->gmon.functions.count, 3);
	ck_assert_uint_eq(into->gmon.lines.count, 1);
}
END_TEST

START_TEST(counts_of_another_program_are_not_added)
{
	static const char refusal[] = "they are of another program";
	AUTO_EXPERIMENT struct prof_experiment *known = make_of("mab");
	AUTO_EXPERIMENT struct prof_experiment *other = make_of("mab");
	AUTO_EXPERIMENT struct prof_experiment *names = make_of("mabc");

	names->gmon.functions.count = 3;
	ck_assert_ok(prof_experiment_string(names, "c", &names->gmon.functions.items[1].name));
	ck_assert_error(prof_experiment_merge(known, names, NULL), refusal);
	add_line(known, 5);
	ck_assert_error(prof_experiment_merge(known, other, NULL), refusal);
	add_line(other, 6);
	ck_assert_error(prof_experiment_merge(known, other, NULL), refusal);
	other->gmon.lines.items[0].line = 5;
	other->gmon.functions.items[2].low += 2;
	ck_assert_error(prof_experiment_merge(known, other, NULL), refusal);
	ck_assert_uint_eq(known->gmon.arcs.count, 2);
}
END_TEST

START_TEST(a_program_that_one_knows_is_that_of_both)
{
	AUTO_EXPERIMENT struct prof_experiment *known = make_of("mab");
	AUTO_EXPERIMENT struct prof_experiment *into = make();
	AUTO_EXPERIMENT struct prof_experiment *from = make();
	AUTO_EXPERIMENT struct prof_experiment *other = NULL;
	uint32_t function;

	add_line(known, 5);
	ck_assert_ok(prof_experiment_create(&other));
	ck_assert_ok(prof_experiment_function(other, "other", 5, 0, &function));
	other->gmon.word = 8;
	ck_assert_ok(prof_experiment_merge(other, known, NULL));
	ck_assert_ok(prof_experiment_merge(into, known, NULL));
	ck_assert_ok(prof_experiment_merge(known, from, NULL));
	for (int i = 0; i < 3; i++) {
		struct prof_experiment *sum = i == 0 ? other : i == 1 ? into : known;
		prof_experiment_check(sum);
		ck_assert_uint_eq(sum->gmon.functions.count, 3);
		const struct prof_image_symbol *symbol = &sum->gmon.functions.items[2];
		ck_assert_str_eq(prof_strings_get(&sum->strings, symbol->name), "b");
		ck_assert_str_eq(prof_experiment_function_name(sum, symbol->function), "b");
		ck_assert_uint_eq(sum->gmon.lines.count, 1);
		ck_assert_str_eq(
			prof_strings_get(&sum->strings, sum->gmon.lines.items[0].file), "x.c");
	}
}
END_TEST

START_TEST(counts_are_added_to_counts_only)
{
	AUTO_EXPERIMENT struct prof_experiment *gmon = make();
	AUTO_EXPERIMENT struct prof_experiment *stacks = NULL;

	ck_assert_ok(prof_experiment_create(&stacks));
	ck_assert_error(prof_experiment_merge(gmon, stacks, NULL), "because it has no stacks");
	ck_assert_error(prof_experiment_merge(stacks, gmon, NULL), "because it has no stacks");
}
END_TEST

RUN_TESTS("merge_gmon", sums_have_all_of_both, calls_alone_take_over_what_is_counted,
	what_counts_something_else_is_not_added, counts_of_one_program_are_added,
	counts_of_another_program_are_not_added, a_program_that_one_knows_is_that_of_both,
	counts_are_added_to_counts_only)
