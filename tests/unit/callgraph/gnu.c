/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gprof's way to share times out; that it is so to the last digit is tested against gprof itself.
 */
#include "callgraph/gnu.h"

#include "gmon_support.h"

#include <stdio.h>

static struct prof_gnu *make(const struct prof_experiment *gmon, struct prof_gnu_choice choice)
{
	struct prof_gnu *gnu;

	ck_assert_ok(prof_gnu_create(gmon, &choice, &gnu));
	return gnu;
}

/* The symbol of the function NAME, or of the cycle with that digit. */
static const struct prof_gnu_symbol *symbol(const struct prof_gnu *gnu, char name)
{
	for (size_t i = 0; i < gnu->symbols.count; i++) {
		const struct prof_gnu_symbol *found = &gnu->symbols.items[i];
		if (!found->place && found->cycle == (uint32_t)(name - '0'))
			return found;
		if (found->place && *prof_gnu_text(gnu, found->place->name) == name)
			return found;
	}
	ck_abort_msg("there is no %c", name);
}

/* All names, in the order of their entries; in brackets those that are not shown. */
static void assert_order(const struct prof_gnu *gnu, const char *expected)
{
	char found[256] = "";

	for (size_t i = 0; i < gnu->symbols.count; i++) {
		const struct prof_gnu_symbol *at = &gnu->symbols.items[gnu->order[i]];
		char name[2] = {
			at->place ? *prof_gnu_text(gnu, at->place->name) : (char)('0' + at->cycle)};
		ck_assert_uint_eq(at->index, i + 1);
		snprintf(found + strlen(found), sizeof found - strlen(found),
			at->shown ? "%s" : "(%s)", name);
	}
	ck_assert_str_eq(found, expected);
}

/* The program of gprof's manual: main calls a, which calls b and c, and b calls a and c. */
static const char manual[] = "mabcz";
static const unsigned manual_ticks[] = {16, 75, 102, 0, 0};
static const struct call manual_calls[] = {
	{'m', 'a', 1}, {'a', 'b', 3}, {'b', 'a', 2}, {'a', 'c', 3}, {'b', 'c', 3}, {0, 0, 0}};

START_TEST(a_cycle_has_the_time_of_its_members)
{
	struct prof_experiment *gmon = make_gmon(manual, manual_ticks, manual_calls);
	struct prof_gnu *gnu = make(gmon, (struct prof_gnu_choice){0});

	ck_assert_uint_eq(gnu->cycles, 1);
	ck_assert_uint_eq(symbol(gnu, '1')->calls, 1);
	ck_assert_uint_eq(symbol(gnu, '1')->selfcalls, 5);
	ck_assert_double_eq(symbol(gnu, '1')->self, 177);
	ck_assert_double_eq(symbol(gnu, 'm')->child, 177);
	ck_assert_uint_eq(symbol(gnu, 'a')->calls, 3);
	ck_assert_uint_eq(symbol(gnu, 'b')->cycle, 1);
	ck_assert_uint_eq(symbol(gnu, 'c')->calls, 6);
	ck_assert_double_eq(gnu->total, 193);
	ck_assert_double_eq(gnu->counted, 193);
	assert_order(gnu, "m1bacz");
	prof_gnu_destroy(gnu);
	prof_experiment_destroy(gmon);
}
END_TEST

START_TEST(calls_that_are_cut_make_no_cycle)
{
	struct prof_experiment *gmon = make_gmon(manual, manual_ticks, manual_calls);
	struct prof_gnu *gnu = make(gmon, (struct prof_gnu_choice){.cut = "b/a"});

	ck_assert_uint_eq(gnu->cycles, 0);
	ck_assert_double_eq(symbol(gnu, 'a')->child, 102);
	ck_assert_uint_eq(symbol(gnu, 'a')->calls, 1);
	assert_order(gnu, "mabcz");
	prof_gnu_destroy(gnu);
	gnu = make(gmon, (struct prof_gnu_choice){.cut = "b/a,/c,a/b"});
	ck_assert_uint_eq(gnu->arcs.count, 1);
	prof_gnu_destroy(gnu);
	prof_experiment_destroy(gmon);
}
END_TEST

START_TEST(what_is_named_is_shown_or_counts)
{
	struct prof_experiment *gmon = make_gmon(manual, manual_ticks, manual_calls);
	struct prof_gnu *gnu = make(gmon, (struct prof_gnu_choice){.only = "b"});

	assert_order(gnu, "(m)(1)b(a)c(z)");
	ck_assert_double_eq(gnu->counted, 193);
	prof_gnu_destroy(gnu);
	gnu = make(gmon, (struct prof_gnu_choice){.without = "a"});
	assert_order(gnu, "m1b(a)cz");
	prof_gnu_destroy(gnu);
	gnu = make(gmon, (struct prof_gnu_choice){.without_time = "m"});
	ck_assert_double_eq(symbol(gnu, 'm')->self, 0);
	ck_assert_double_eq(gnu->counted, 177);
	prof_gnu_destroy(gnu);
	gnu = make(gmon, (struct prof_gnu_choice){.only_time = "c"});
	ck_assert_double_eq(gnu->counted, 0);
	assert_order(gnu, "(1)c(a)(b)(m)(z)");
	prof_gnu_destroy(gnu);
	prof_experiment_destroy(gmon);
}
END_TEST

START_TEST(names_that_there_are_not_are_told)
{
	static const struct prof_gnu_choice choices[] = {{.only = "x"}, {.without = "a,x"},
		{.only_time = "x"}, {.without_time = "x,a"}, {.cut = "a/x"}, {.cut = "b/a,x/b"}};
	struct prof_experiment *gmon = make_gmon(manual, manual_ticks, manual_calls);
	struct prof_gnu *gnu = NULL;

	free(gmon->recording.program);
	gmon->recording.program = strdup("program");
	for (size_t i = 0; i < PROF_COUNT(choices); i++)
		ck_assert_error(prof_gnu_create(gmon, &choices[i], &gnu),
			"The program \"program\" has no function \"x\": prof-gprof --style=gnu --flat --all lists its functions.");
	ck_assert_error(prof_gnu_create(gmon, &(struct prof_gnu_choice){.cut = "a"}, &gnu),
		"--cut takes FROM/TO, not \"a\".");
	ck_assert_ptr_null(gnu);
	prof_experiment_destroy(gmon);
}
END_TEST

START_TEST(a_function_that_calls_itself_makes_no_cycle)
{
	static const struct call calls[] = {{'m', 'a', 2}, {'a', 'a', 7}, {'a', 'b', 4}, {0, 0, 0}};
	static const unsigned samples[] = {0, 10, 30, 0};
	struct prof_experiment *gmon = make_gmon("mabz", samples, calls);
	struct prof_gnu *gnu = make(gmon, (struct prof_gnu_choice){0});

	ck_assert_uint_eq(gnu->cycles, 0);
	ck_assert_uint_eq(symbol(gnu, 'a')->calls, 2);
	ck_assert_uint_eq(symbol(gnu, 'a')->selfcalls, 7);
	ck_assert_double_eq(symbol(gnu, 'm')->child, 40);
	prof_gnu_destroy(gnu);
	prof_experiment_destroy(gmon);
}
END_TEST

START_TEST(cycles_that_meet_are_one)
{
	/* a-b-c, then c-d-b, e-f by themselves, and f calls all. */
	static const struct call calls[] = {{'a', 'b', 1}, {'b', 'c', 1}, {'c', 'a', 1},
		{'c', 'd', 1}, {'d', 'b', 1}, {'e', 'f', 1}, {'f', 'e', 1}, {'f', 'a', 5},
		{0, 0, 0}};
	static const unsigned samples[] = {1, 2, 4, 8, 16, 32, 0};
	struct prof_experiment *gmon = make_gmon("abcdefz", samples, calls);
	struct prof_gnu *gnu = make(gmon, (struct prof_gnu_choice){0});

	ck_assert_uint_eq(gnu->cycles, 2);
	for (const char *name = "abcd"; *name; name++)
		ck_assert_uint_eq(symbol(gnu, *name)->cycle, 1);
	ck_assert_uint_eq(symbol(gnu, 'e')->cycle, 2);
	ck_assert_uint_eq(symbol(gnu, 'f')->cycle, 2);
	ck_assert_uint_eq(symbol(gnu, '1')->calls, 5);
	ck_assert_uint_eq(symbol(gnu, '1')->selfcalls, 5);
	ck_assert_double_eq(symbol(gnu, 'f')->child, 15);
	prof_gnu_destroy(gnu);
	prof_experiment_destroy(gmon);
}
END_TEST

START_TEST(a_bin_is_shared_by_what_it_has_code_of)
{
	static const struct call calls[] = {{0, 0, 0}};
	static const unsigned samples[] = {0, 0, 0};
	struct prof_experiment *gmon = make_gmon("abz", samples, calls);
	struct prof_histogram *histogram = &gmon->gmon.histograms.items[0];

	/* One bin over 6 bytes of a and 10 of b. */
	histogram->low = BASE + SIZE - 6;
	histogram->high = histogram->low + SIZE;
	histogram->parts = 1;
	ck_assert_ok(prof_gmon_sample(&gmon->gmon, 0, 0, 16));
	struct prof_gnu *gnu = make(gmon, (struct prof_gnu_choice){0});
	ck_assert_double_eq(symbol(gnu, 'a')->time, 6);
	ck_assert_double_eq(symbol(gnu, 'b')->time, 10);
	prof_gnu_destroy(gnu);
	prof_experiment_destroy(gmon);
}
END_TEST

START_TEST(what_counts_calls_does_not_count)
{
	static const struct call calls[] = {{'m', 'a', 1}, {0, 0, 0}};
	static const unsigned samples[] = {1, 10, 0};
	struct prof_experiment *gmon = make_gmon("maz", samples, calls);

	ck_assert_ok(prof_experiment_string(gmon, "_mcount", &gmon->gmon.functions.items[1].name));
	struct prof_gnu *gnu = make(gmon, (struct prof_gnu_choice){0});
	ck_assert_double_eq(gnu->total, 1);
	ck_assert(!prof_gnu_is_flat(gnu, 1));
	ck_assert(!gnu->symbols.items[1].shown);
	prof_gnu_destroy(gnu);
	prof_experiment_destroy(gmon);
}
END_TEST

RUN_TESTS("gnu", a_cycle_has_the_time_of_its_members, calls_that_are_cut_make_no_cycle,
	what_is_named_is_shown_or_counts, names_that_there_are_not_are_told,
	a_function_that_calls_itself_makes_no_cycle, cycles_that_meet_are_one,
	a_bin_is_shared_by_what_it_has_code_of, what_counts_calls_does_not_count)
