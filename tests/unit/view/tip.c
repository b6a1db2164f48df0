/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/tip.h"

#include "model/mark.h"
#include "model/traced_rows.h"
#include "view_support.h"

static struct prof_experiment *experiment;
static int64_t stop;

/* Adds a stop at MS, until which the program has run for RUNNING ms. */
static void stop_at(enum prof_mark_kind kind, int64_t ms, int64_t running)
{
	struct prof_mark mark = {.kind = kind, .time = ms * 1000000};

	prof_usage_clear(&mark.usage);
	mark.usage.figures[PROF_USAGE_RUNNING] = running * 1000000;
	ck_assert_ok(prof_experiment_mark(experiment, &mark, "stop"));
}

/* An experiment of LINES, whose samples all come behind a stop at 10 ms. */
static void start(const char *lines, bool time)
{
	experiment = experiment_of(lines, time);
	for (uint32_t i = 0; i < experiment->samples.count; i++)
		set_time(experiment, i, 20000000);
	stop = 0;
	stop_at(PROF_MARK_START, 0, 0);
	stop_at(PROF_MARK_STOP, 10, 5);
}

static void check(const char *expected)
{
	AUTO_TEXT struct prof_text text = {0};

	ck_assert_ok(prof_tip_print(experiment, NULL, &stop, &text));
	ck_assert_str_eq(prof_text_get(&text), expected);
}

START_TEST(line_has_time_and_functions)
{
	start("main;parse 61\nmain;hash 20\nmain;other 19\n", false);
	stop_at(PROF_MARK_STOP, 1300, 1215);
	check("[prof] 1.21 s since the last stop: parse 61 %, hash 20 %\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(few_samples_are_numbers)
{
	start("main;parse 2\nmain;hash 1\n", false);
	stop_at(PROF_MARK_STOP, 1300, 17);
	check("[prof] 12.0 ms since the last stop, 3 samples: parse 2, hash 1\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(cpu_time_is_a_share_of_the_time)
{
	start("main;parse 60\nmain;hash 30\n", true);
	stop_at(PROF_MARK_STOP, 1300, 105);
	check("[prof] 100 ms since the last stop, 90 % on CPU, 2 samples: parse 1, hash 1\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(without_samples_there_is_the_time)
{
	start("main;parse 60\n", false);
	stop_at(PROF_MARK_STOP, 30, 25);
	stop_at(PROF_MARK_STOP, 40, 26);
	check("[prof] 1.0 ms since the last stop\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(a_stop_has_one_line)
{
	start("main;parse 2\n", false);
	check("[prof] 5.0 ms since the last stop, 2 samples: parse 2\n");
	check("");
	stop_at(PROF_MARK_ASKED, 15, 5);
	check("");
	stop_at(PROF_MARK_STOP, 30, 25);
	check("[prof] 20.0 ms since the last stop, 2 samples: parse 2\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(without_a_stop_there_is_none)
{
	start("main;parse 2\n", false);
	stop_at(PROF_MARK_PERIOD, 15, 8);
	check("");
	prof_experiment_destroy(experiment);
	experiment = experiment_of("main;parse 2\n", false);
	check("");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(names_are_short_and_not_trusted)
{
	start("std::vector<std::vector<int>>::push_back_of_some_kind 5\na\033[31mb 2\n", false);
	stop_at(PROF_MARK_STOP, 30, 25);
	check("[prof] 20.0 ms since the last stop, 7 samples: std::vector<std::vector<int>>::push_back... 5, a\\x1b[31mb 2\n");
	prof_experiment_destroy(experiment);
}
END_TEST

/* COUNT allocations, of which HELD bytes are not freed at MS. */
static void allocate(int64_t count, int64_t held, int64_t ms)
{
	const prof_value values[PROF_QUANTITIES] = {
		[PROF_QUANTITY_TRACED + PROF_TRACED_ALLOCATIONS] = prof_value_of(count)};
	struct prof_traced_row row = {.sample = (uint32_t)experiment->samples.count,
		.object = PROF_NONE,
		.holder = PROF_NONE,
		.values[PROF_TRACED_ALLOCATIONS] = count};

	add_stack(experiment, "main;parse", ';', values);
	set_time(experiment, row.sample, 20000000);
	ck_assert_ok(prof_experiment_traced(experiment, &row));
	ck_assert_ok(prof_experiment_held(
		experiment, &(struct prof_held){.time = ms * 1000000, .blocks = 1, .bytes = held}));
}

START_TEST(heap_has_its_growth)
{
	start("main;parse 2\n", false);
	stop_at(PROF_MARK_STOP, 30, 25);
	allocate(12400, 3100000, 30);
	check("[prof] 20.0 ms since the last stop, 2 samples: parse 2; 12,400 allocations, +3.1 MB\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("tip", line_has_time_and_functions, few_samples_are_numbers,
	cpu_time_is_a_share_of_the_time, without_samples_there_is_the_time, a_stop_has_one_line,
	without_a_stop_there_is_none, names_are_short_and_not_trusted, heap_has_its_growth)
