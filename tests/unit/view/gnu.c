/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of GNU gprof; that all of it is the same is tested against gprof itself. */
#include "view/gnu.h"

#include "gmon_support.h"
#include "view_support.h"

/* The program of gprof's manual. */
static struct prof_experiment *manual(void)
{
	static const struct call calls[] = {{'m', 'a', 1}, {'a', 'b', 3}, {'b', 'a', 2},
		{'a', 'c', 3}, {'b', 'c', 3}, {0, 0, 0}};
	static const unsigned ticks[] = {2, 19, 25, 0, 0};

	return make_gmon("mabcz", ticks, calls);
}

static void assert_shown(
	struct prof_experiment *experiment, const struct prof_choice *choice, const char *expected)
{
	char *shown = show("gprof", experiment, choice);

	ck_assert_str_eq(shown, expected);
	free(shown);
	prof_experiment_destroy(experiment);
}

static void assert_part(
	struct prof_experiment *experiment, const struct prof_choice *choice, const char *part)
{
	char *shown = show("gprof", experiment, choice);

	ck_assert_msg(strstr(shown, part), "no \"%s\" in:\n%s", part, shown);
	free(shown);
	prof_experiment_destroy(experiment);
}

START_TEST(both_parts_are_as_gprof_prints_them)
{
	const struct prof_choice choice = {.own = choose("gprof", "style=gnu")};

	assert_shown(manual(), &choice,
		"Flat profile:\n"
		"\n"
		"Each sample counts as 0.01 seconds.\n"
		"  %   cumulative   self              self     total           \n"
		" time   seconds   seconds    calls  ms/call  ms/call  name    \n"
		" 54.35      0.25     0.25        3    83.33    83.33  b\n"
		" 41.30      0.44     0.19        3    63.33    63.33  a\n"
		"  4.35      0.46     0.02                             m\n"
		"  0.00      0.46     0.00        6     0.00     0.00  c\n"
		"\f\n"
		"\t\t\tCall graph\n"
		"\n"
		"\n"
		"granularity: each sample hit covers 4 byte(s) for 2.17% of 0.46 seconds\n"
		"\n"
		"index % time    self  children    called     name\n"
		"                                                 <spontaneous>\n"
		"[1]    100.0    0.02    0.44                 m [1]\n"
		"                0.44    0.00       1/1           a <cycle 1> [4]\n"
		"-----------------------------------------------\n"
		"[2]     95.7    0.44    0.00       1+5       <cycle 1 as a whole> [2]\n"
		"                0.25    0.00       3             b <cycle 1> [3]\n"
		"                0.19    0.00       3             a <cycle 1> [4]\n"
		"-----------------------------------------------\n"
		"                                   3             a <cycle 1> [4]\n"
		"[3]     54.3    0.25    0.00       3         b <cycle 1> [3]\n"
		"                0.00    0.00       3/6           c [5]\n"
		"                                   2             a <cycle 1> [4]\n"
		"-----------------------------------------------\n"
		"                                   2             b <cycle 1> [3]\n"
		"                0.44    0.00       1/1           m [1]\n"
		"[4]     41.3    0.19    0.00       3         a <cycle 1> [4]\n"
		"                0.00    0.00       3/6           c [5]\n"
		"                                   3             b <cycle 1> [3]\n"
		"-----------------------------------------------\n"
		"                0.00    0.00       3/6           a <cycle 1> [4]\n"
		"                0.00    0.00       3/6           b <cycle 1> [3]\n"
		"[5]      0.0    0.00    0.00       6         c [5]\n"
		"-----------------------------------------------\n"
		"\f\n"
		"Index by function name\n"
		"\n"
		"   [4] a                       [5] c                       [2] <cycle 1>\n"
		"   [3] b                       [1] m\n");
}
END_TEST

START_TEST(nothing_counted_is_told)
{
	static const struct call calls[] = {{'m', 'a', 1}, {0, 0, 0}};
	static const unsigned ticks[] = {0, 0, 0};
	const struct prof_choice flat = {.own = choose("gprof", "style=gnu flat")};
	const struct prof_choice graph = {.own = choose("gprof", "style=gnu graph")};

	assert_shown(make_gmon("maz", ticks, calls), &flat,
		"Flat profile:\n"
		"\n"
		"Each sample counts as 0.01 seconds.\n"
		" no time accumulated\n"
		"\n"
		"  %   cumulative   self              self     total           \n"
		" time   seconds   seconds    calls  Ts/call  Ts/call  name    \n"
		"  0.00      0.00     0.00        1     0.00     0.00  a\n");
	assert_part(make_gmon("maz", ticks, calls), &graph,
		"covers 4 byte(s) no time propagated\n\nindex");
}
END_TEST

START_TEST(what_is_not_shown_has_its_index_in_parentheses)
{
	const struct prof_choice choice = {.own = choose("gprof", "style=gnu graph only=b")};

	assert_part(manual(), &choice,
		"index % time    self  children    called     name\n"
		"                                   3             a <cycle 1> (4)\n"
		"[3]     54.3    0.25    0.00       3         b <cycle 1> [3]\n");
	assert_part(manual(), &choice,
		"   (4) a                       [5] c                       (2) <cycle 1>\n"
		"   [3] b                       (1) m\n");
}
END_TEST

START_TEST(functions_that_were_never_called_are_there_if_asked_for)
{
	const struct prof_choice choice = {.own = choose("gprof", "style=gnu all")};

	assert_part(
		manual(), &choice, "  0.00      0.46     0.00                             z\n\f\n");
	assert_part(manual(), &choice,
		"                                                 <spontaneous>\n"
		"[6]      0.0    0.00    0.00                 z [6]\n");
}
END_TEST

START_TEST(the_first_rows_and_entries_can_be_all)
{
	const struct prof_choice choice = {.own = choose("gprof", "style=gnu limit=2")};

	assert_part(manual(), &choice, "  63.33  a\n\f\n");
	assert_part(manual(), &choice,
		"<cycle 1> [4]\n-----------------------------------------------\n\f\n");
}
END_TEST

START_TEST(names_are_obeyed_by_no_terminal)
{
	const struct prof_choice choice = {.own = choose("gprof", "style=gnu")};
	struct prof_experiment *experiment = manual();

	ck_assert_ok(prof_experiment_string(
		experiment, "\033[2J%s", &experiment->gmon.functions.items[1].name));
	char *shown = show("gprof", experiment, &choice);
	ck_assert_ptr_null(strchr(shown, '\033'));
	ck_assert_ptr_nonnull(strstr(shown, "   [4] \\x1b[2J%s"));
	free(shown);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(the_other_style_and_formats_have_the_calls)
{
	const struct prof_choice text = {.own = choose("gprof", "graph")};
	const struct prof_choice csv = {.format = PROF_FORMAT_CSV, .own = choose("gprof", "graph")};

	assert_part(manual(), &text, "<cycle 1 as a whole>");
	assert_part(manual(), &csv, "5,primary,c,0,0,0,0,6,0\n");
}
END_TEST

static void assert_refused(const char *view, const struct prof_choice *choice, const char *part)
{
	struct prof_experiment *experiment = manual();
	struct prof_text text = {0};

	ck_assert_error(
		prof_view_print(prof_view_find(view), experiment, choice, NULL, &text), part);
	ck_assert_uint_eq(text.length, 0);
	prof_text_deinit(&text);
	prof_experiment_destroy(experiment);
}

START_TEST(what_counts_have_not_is_told)
{
	const struct prof_choice nothing = {0};
	const struct prof_choice all = {.own = choose("gprof", "all")};
	const struct prof_choice csv = {
		.format = PROF_FORMAT_CSV, .own = choose("gprof", "style=gnu only=a")};
	struct prof_choice filtered = {0};

	for (size_t i = 0; prof_views[i]; i++) {
		const struct prof_view *view = prof_views[i];
		if (strcmp(view->name, "gprof") != 0)
			assert_refused(view->name, &nothing,
				"but a gmon.out has only a histogram and counts of calls.");
	}
	assert_refused("gprof", &all, "--style=gnu");
	assert_refused("gprof", &csv, "--style=gnu");
	filtered.filter.values[PROF_CONDITION_LEAF] = "a";
	assert_refused("gprof", &filtered, "A filter needs stacks");
}
END_TEST

START_TEST(counts_without_their_program_are_told)
{
	struct prof_experiment *experiment = manual();
	struct prof_text text = {0};

	forget_program(experiment);
	ck_assert_error(prof_view_print(prof_view_find("gprof"), experiment,
				&(const struct prof_choice){0}, NULL, &text),
		"does not know the program");
	prof_experiment_destroy(experiment);
}
END_TEST

/* An experiment of RANDOM calls among some functions, and time anywhere. */
static struct prof_experiment *random_counts(unsigned *random)
{
	static const char names[] = "abcdefghijkl";
	unsigned ticks[sizeof names] = {0};
	struct call calls[41] = {{0, 0, 0}};
	int count = rand_r(random) % 40;

	for (size_t i = 0; names[i]; i++)
		ticks[i] = (unsigned)rand_r(random) % 4 ? 0 : (unsigned)rand_r(random) % 70000;
	for (int i = 0; i < count; i++)
		calls[i] = (struct call){names[rand_r(random) % 12], names[rand_r(random) % 12],
			(unsigned)rand_r(random) % 5};
	return make_gmon(names, ticks, calls);
}

START_TEST(any_calls_can_be_shown)
{
	static const char *const options[] = {
		"only=a,b", "without=c", "only-time=d", "without-time=e,f", "cut=a/,/b", ""};
	unsigned random = 5;

	for (size_t i = 0; i < 300; i++) {
		struct prof_choice choice = {0};
		struct prof_experiment *experiment = random_counts(&random);
		if (i % 7) {
			char text[64];
			snprintf(text, sizeof text, "style=gnu %s %s", i % 2 ? "all" : "",
				options[i % PROF_COUNT(options)]);
			choice.own = choose("gprof", text);
		}
		char *shown = show("gprof", experiment, &choice);
		ck_assert_ptr_nonnull(strstr(shown, "Flat profile"));
		ck_assert_ptr_null(strstr(shown, "nan"));
		free(shown);
		prof_experiment_destroy(experiment);
	}
}
END_TEST

RUN_TESTS("gnu", counts_without_their_program_are_told, any_calls_can_be_shown,
	both_parts_are_as_gprof_prints_them, nothing_counted_is_told,
	what_is_not_shown_has_its_index_in_parentheses,
	functions_that_were_never_called_are_there_if_asked_for,
	the_first_rows_and_entries_can_be_all, names_are_obeyed_by_no_terminal,
	the_other_style_and_formats_have_the_calls, what_counts_have_not_is_told)
