/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What flame graphs are drawn of. */
#include "picture/flame.h"

#include "metric_program.h"
#include "view_calls.h"

/* What FLAME wants of EXPERIMENT's METRIC with FILTER, and in *NOTE what was left out. */
static char *draw_filtered(struct prof_experiment *experiment, const char *metric,
	const struct prof_filter *filter, struct prof_flame *flame, char **note)
{
	struct prof_text text = {0}, said = {0};
	struct prof_sheet sheet;

	const struct prof_sheet_request request = {
		metric, filter, PROF_KIND_FUNCTIONS, true, PROF_WANT_NOTHING, 0, NULL};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
	ck_assert_ok(prof_flame_print(&sheet, flame, &text));
	prof_flame_left_out(&sheet, flame, &said);
	if (note)
		*note = strdup(prof_text_get(&said));
	char *drawn = strdup(prof_text_get(&text));
	prof_text_deinit(&said);
	prof_text_deinit(&text);
	prof_sheet_deinit(&sheet);
	return drawn;
}

static char *draw(struct prof_experiment *experiment, bool chart)
{
	const struct prof_filter filter = {0};
	struct prof_flame flame = {.chart = chart, .max_depth = PROF_FLAME_DEEPEST};
	char *note;
	char *drawn = draw_filtered(experiment, "samples", &filter, &flame, &note);

	check_text(note, "");
	return drawn;
}

/* The same of a list of calls, and no deeper than DEPTH: NOTE is what was left out. */
static void check_depth(const char *calls, uint64_t depth, const char *expected, const char *note)
{
	struct prof_experiment *experiment = experiment_of_calls(calls);
	const struct prof_filter filter = {0};

	for (int chart = 0; chart < 2; chart++) {
		struct prof_flame flame = {.chart = chart, .max_depth = depth};
		char *said;
		check_text(draw_filtered(experiment, "samples", &filter, &flame, &said), expected);
		check_text(said, note);
	}
	prof_experiment_destroy(experiment);
}

START_TEST(draws_nested_calls)
{
	check_depth(NESTED_CALLS, PROF_FLAME_DEEPEST, "f 70\nf;g 60\nf;g;h 30\n", "");
}
END_TEST

START_TEST(leaves_out_what_is_too_deep_and_says_how_much)
{
	check_depth(NESTED_CALLS, 2, "f 70\nf;g 60\nf;g;h 30\n", "");
	check_depth(NESTED_CALLS, 1, "f 70\nf;g 60\n",
		"Left out, deeper than 1: 30 samples, 18.75 % of all.\n");
	check_depth(NESTED_CALLS, 0, "f 70\n",
		"Left out, deeper than 0: 90 samples, 56.25 % of all.\n");
}
END_TEST

START_TEST(adds_up_equal_stacks_or_keeps_their_order)
{
	struct prof_experiment *experiment = experiment_of_calls(REPEATED_CALLS);

	check_text(draw(experiment, false), "f 25\nf;g 25\nf;h 10\n");
	check_text(draw(experiment, true), "f 25\nf;g 10\nf;h 10\nf;g 15\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(calls_without_ticks_have_lines_too)
{
	struct prof_experiment *experiment =
		experiment_of_calls("call f 0\ncall g 0\nret 0\ncall g 0\nret 5\nret 5\n");
	struct prof_filter filter = {.values = {[PROF_CONDITION_LEAF] = "f"}};
	struct prof_flame flame = {.max_depth = PROF_FLAME_DEEPEST};

	check_text(draw(experiment, true), "f 0\nf;g 0\nf;g 5\n");
	check_text(draw(experiment, false), "f 0\nf;g 5\n");
	check_text(draw_filtered(experiment, "samples", &filter, &flame, NULL), "f 0\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(sorts_by_the_bytes_of_the_whole_stack)
{
	struct prof_experiment *experiment =
		experiment_of("m;z 1\nm-1 2\nm 3\nm;a 4\nM 5\n\xc3\xa9 6\nm;z 10\n", false);

	check_text(draw(experiment, false), "M 5\nm 3\nm-1 2\nm;a 4\nm;z 11\n\xc3\xa9 6\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(imported_records_keep_their_order_in_charts)
{
	struct prof_experiment *experiment = experiment_of("m;b 1\nm;a 2\nm;a 3\nm;b 4\n", false);

	check_text(draw(experiment, true), "m;b 1\nm;a 2\nm;a 3\nm;b 4\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(samples_that_are_neighbours_are_added_up_in_charts)
{
	struct prof_experiment *experiment =
		experiment_of("m;b 1\nm;a 2\nm;a 3\nm;b 4\nm;b 0\nm;c 0\nm;b 5\n", false);

	make_sampled(experiment);
	check_text(draw(experiment, true), "m;b 1\nm;a 5\nm;b 9\n");
	check_text(draw(experiment, false), "m;a 5\nm;b 10\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(what_is_left_out_stands_between_its_neighbours)
{
	struct prof_experiment *experiment = experiment_of("m;b 1\nm;b;c 2\nm;b 4\n", false);
	const struct prof_filter filter = {0};
	struct prof_flame flame = {.chart = true, .max_depth = 1};
	char *note;

	make_sampled(experiment);
	check_text(draw_filtered(experiment, "samples", &filter, &flame, &note), "m;b 1\nm;b 4\n");
	check_text(note, "Left out, deeper than 1: 2 samples, 28.57 % of all.\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(charts_are_thread_by_thread_in_the_order_of_time)
{
	struct prof_experiment *experiment = program_create();
	const struct prof_filter filter = {0}, one = {.values = {[PROF_CONDITION_THREAD] = "12"}};
	struct prof_flame flame = {.chart = true, .max_depth = PROF_FLAME_DEEPEST};

	check_text(draw_filtered(experiment, "wall", &filter, &flame, NULL),
		"main;qsort;compare;qsort;compare 10000000000\n"
		"main;<Unknown> 7000000000\nmain;work;inl 5000000000\n<Unknown> 1000000000\n");
	check_text(draw_filtered(experiment, "samples", &one, &flame, NULL),
		"main;work;inl 5\n<Unknown> 1\n");
	flame.max_depth = 1;
	char *note;
	check_text(
		draw_filtered(experiment, "wall", &one, &flame, &note), "<Unknown> 1000000000\n");
	check_text(note, "Left out, deeper than 1: 5.000 sec., 83.33 % of all.\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(keeps_names_from_breaking_lines)
{
	struct prof_experiment *experiment;
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	ck_assert_ok(prof_experiment_create(&experiment));
	add_stack(experiment, "#if|a;b|two\nlines|\033[2J|#|", '|', values);
	add_stack(experiment, "|", '|', values);
	for (int chart = 0; chart < 2; chart++)
		check_text(draw(experiment, chart),
			chart ? "\\x23if;a:b;two\\x0alines;\\x1b[2J;# 1\n? 1\n"
			      : "? 1\n\\x23if;a:b;two\\x0alines;\\x1b[2J;# 1\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(namesakes_are_one_line)
{
	struct prof_experiment *experiment = experiment_of_namesakes();

	check_text(draw(experiment, false), "init 5\n");
	prof_experiment_destroy(experiment);
}
END_TEST

static struct prof_error *try(struct prof_experiment *experiment, const char *metrics,
	const struct prof_progress *progress, uint64_t depth)
{
	const struct prof_filter filter = {0};
	struct prof_flame flame = {.max_depth = depth};
	struct prof_text text = {0};
	struct prof_sheet sheet;

	const struct prof_sheet_request request = {
		metrics, &filter, PROF_KIND_FUNCTIONS, true, PROF_WANT_NOTHING, 0, NULL};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, progress));
	struct prof_error *error = prof_flame_print(&sheet, &flame, &text);
	prof_sheet_deinit(&sheet);
	prof_text_deinit(&text);
	return error;
}

/* Of 40000 calls, one in the other, all lines together have 1.6 GB. */
START_TEST(what_is_too_large_is_refused)
{
	struct prof_text calls = {0};

	for (int i = 0; i < 40000; i++)
		prof_text_print(&calls, "call f 0\n");
	struct prof_experiment *experiment = experiment_of_calls(prof_text_get(&calls));
	ck_assert_error(try(experiment, "samples", NULL, PROF_FLAME_DEEPEST),
		"more than 268435456 bytes of text: leave out the deeper ones with --max-depth");
	ck_assert_ok(try(experiment, "samples", NULL, 100));
	prof_experiment_destroy(experiment);
	prof_text_deinit(&calls);
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)done, (void)total;
	return strcmp(what, context) != 0;
}

START_TEST(one_metric_at_a_time_and_not_to_the_end)
{
	struct prof_experiment *experiment = experiment_of("m 1\n", false);
	char what[] = "Folding";
	const struct prof_progress progress = {refuse, what};

	ck_assert_error(
		try(experiment, "samples,cpu", NULL, PROF_FLAME_DEEPEST), "one metric at a time");
	ck_assert_ok(try(experiment, "samples", NULL, PROF_FLAME_DEEPEST));
	prof_experiment_destroy(experiment);
	/* The first path, number 0, is asked about. */
	experiment = program_create();
	ck_assert_error(try(experiment, "wall", &progress, PROF_FLAME_DEEPEST), "Interrupted");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("flame", draws_nested_calls, leaves_out_what_is_too_deep_and_says_how_much,
	adds_up_equal_stacks_or_keeps_their_order, calls_without_ticks_have_lines_too,
	sorts_by_the_bytes_of_the_whole_stack, imported_records_keep_their_order_in_charts,
	samples_that_are_neighbours_are_added_up_in_charts,
	what_is_left_out_stands_between_its_neighbours,
	charts_are_thread_by_thread_in_the_order_of_time, keeps_names_from_breaking_lines,
	namesakes_are_one_line, what_is_too_large_is_refused,
	one_metric_at_a_time_and_not_to_the_end)
