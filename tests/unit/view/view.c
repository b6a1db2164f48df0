/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all views have in common: the table of them, the heading, nothing to show. */
#include "view_support.h"

#include "report/recording.h"

static const struct prof_recording recording = {
	.engine = "stop",
	.clock = "cpu",
	.rate_asked = 1000,
	.duration = INT64_C(2000000000),
	.ticks = 2000,
	.ticks_lost = 15,
	.rounds = 1990,
	.stopped = 10000000,
	.running = INT64_C(1990000000),
};

/* Lets EXPERIMENT have been recorded like that. */
static void record(struct prof_experiment *experiment)
{
	experiment->recording.rate_asked = recording.rate_asked;
	experiment->recording.duration = recording.duration;
	experiment->recording.ticks = recording.ticks;
	experiment->recording.ticks_lost = recording.ticks_lost;
	experiment->recording.rounds = recording.rounds;
	experiment->recording.stopped = recording.stopped;
	experiment->recording.running = recording.running;
}

START_TEST(finds_views_by_name)
{
	for (size_t i = 0; prof_views[i]; i++)
		ck_assert_ptr_eq(prof_view_find(prof_views[i]->name), prof_views[i]);
	ck_assert_ptr_null(prof_view_find("nonsense"));
	ck_assert_ptr_null(prof_view_find(""));
}
END_TEST

START_TEST(says_how_it_was_recorded)
{
	struct prof_experiment *experiment = experiment_of("a 100\n", false);

	make_single_calls(experiment);
	for (size_t i = 0; prof_views[i]; i++) {
		const struct prof_view *view = prof_views[i];
		static const char heading[] =
			"Rate: 1000 Hz asked for, 987.5 Hz reached; "
			"15 of 2000 ticks lost (0.75 %).\n"
			"The program was kept from running for 0.50 % of its time.\n\n";
		struct prof_choice choice = {0};
		experiment->recording.rate_asked = 0;
		char *imported = show(view->name, experiment, &choice);
		record(experiment);
		char *recorded = show(view->name, experiment, &choice);
		ck_assert_int_eq(strncmp(recorded, heading, strlen(heading)), 0);
		check_text(recorded, strcat(strcpy((char[8192]){""}, heading), imported));
		free(imported);
	}
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(says_that_the_rate_was_lowered)
{
	struct prof_recording lowered = recording;
	struct prof_text text = {0};

	lowered.rate_lowest = 250;
	lowered.rounds = 504;
	lowered.running = INT64_C(7940000000);
	prof_recording_print(&lowered, &text);
	ck_assert_str_eq(prof_text_get(&text),
		"Rate: 1000 Hz asked for, 250.1 Hz reached; 15 of 2000 ticks lost (0.75 %).\n"
		"The program was kept from running for 0.13 % of its time.\n"
		"At times the rate was lowered to 250 Hz, as set prof max-stopped demands.\n");
	prof_text_deinit(&text);
	lowered.rate_lowest = 0.9951 * lowered.rate_asked;
	prof_recording_print(&lowered, &text);
	ck_assert_ptr_null(strstr(prof_text_get(&text), "lowered"));
	prof_text_deinit(&text);
}
END_TEST

/* The view of functions of a recording with LOST of 1000 ticks lost, as LOOK has it. */
static char *show_recorded(uint64_t lost, const struct prof_markup *markup)
{
	struct prof_experiment *experiment = experiment_of("main 100\n", false);
	const struct prof_choice choice = {.markup = *markup};

	experiment->recording.rate_asked = 100;
	experiment->recording.rounds = 1000;
	experiment->recording.ticks = 1000;
	experiment->recording.ticks_lost = lost;
	char *shown = show("functions", experiment, &choice);
	prof_experiment_destroy(experiment);
	return shown;
}

START_TEST(the_screen_has_what_matters_only)
{
	static const struct prof_markup screen = {.screen = true}, file = {0};
	AUTO_FREE char *good = show_recorded(10, &screen);
	AUTO_FREE char *bad = show_recorded(20, &screen);
	AUTO_FREE char *written = show_recorded(10, &file);

	ck_assert_ptr_null(strstr(good, "Rate: "));
	ck_assert_ptr_nonnull(strstr(bad, "20 of 1000 ticks lost (2.00 %)"));
	ck_assert_ptr_nonnull(strstr(written, "10 of 1000 ticks lost (1.00 %)"));
}
END_TEST

START_TEST(says_that_threads_waited_for_cpus)
{
	struct prof_recording crowded = recording;
	struct prof_text text = {0};

	crowded.delayed = crowded.running * 3;
	prof_recording_print(&crowded, &text);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text),
		"Its busy threads waited for a CPU for 75.0 % of their time: there were more "
		"busy threads than CPUs.\n"));
	prof_text_deinit(&text);
	crowded.delayed = crowded.running / 10;
	prof_recording_print(&crowded, &text);
	ck_assert_ptr_null(strstr(prof_text_get(&text), "CPUs"));
	prof_text_deinit(&text);
}
END_TEST

START_TEST(says_that_no_clock_is_sure_of_bursts)
{
	struct prof_recording bursty = recording;
	struct prof_text text = {0};

	bursty.bursts = bursty.running / 4;
	prof_recording_print(&bursty, &text);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text),
		"For 25.0 % of the CPU time, threads ran for less than 100 us at a time: the "
		"shares of such short work, and of the waits around it, may be off by 10 "
		"percentage points or more.\n"));
	prof_text_deinit(&text);
	bursty.bursts = bursty.running / 6;
	prof_recording_print(&bursty, &text);
	ck_assert_ptr_null(strstr(prof_text_get(&text), "short"));
	prof_text_deinit(&text);
}
END_TEST

START_TEST(says_how_few_samples_there_are)
{
	static const char few[] = "Only 29 samples: shares of them are rough.\n\n";
	struct prof_experiment *experiment = experiment_of("a 29\n", false);
	struct prof_choice choice = {0};

	record(experiment);
	char *text = show("functions", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(text, few));
	free(text);
	prof_experiment_destroy(experiment);
	/* Those that were imported may be anything. */
	experiment = experiment_of("a 29\n", false);
	text = show("functions", experiment, &choice);
	ck_assert_ptr_null(strstr(text, "Only"));
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(says_in_json_how_it_was_recorded)
{
	struct prof_experiment *experiment = experiment_of("a 1\n", false);
	struct prof_choice choice = {
		.format = PROF_FORMAT_JSON, .own = choose("functions", "limit=1")};

	record(experiment);
	check_text(show("functions", experiment, &choice),
		"{\"view\": \"functions\", \"metric\": \"samples\", \"unit\": \"samples\", "
		"\"total\": 1, \"rate_asked\": 1000.0, \"rate_reached\": 987.53750000000002, "
		"\"ticks_lost\": 15, \"stopped_percent\": 0.5, \"delayed_percent\": 0.0, "
		"\"rows\": ["
		"{\"name\": \"<Total>\", \"exclusive\": 1, \"inclusive\": 1, "
		"\"exclusive_percent\": 100.0, \"inclusive_percent\": 100.0}]}\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(tells_no_rate_of_a_moment)
{
	struct prof_recording moment = {.engine = "stop",
		.clock = "cpu",
		.rate_asked = 100,
		.rounds = 1,
		.duration = 1200000};
	struct prof_text text = {0};

	prof_recording_print(&moment, &text);
	ck_assert_str_eq(prof_text_get(&text),
		"Rate: 100 Hz asked for; 0 of 0 ticks lost (0.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n");
	prof_text_deinit(&text);
	moment.duration = 100000000;
	moment.rounds = 10;
	prof_recording_print(&moment, &text);
	ck_assert_int_eq(
		strncmp(prof_text_get(&text), "Rate: 100 Hz asked for, 100 Hz reached;", 39), 0);
	prof_text_deinit(&text);
}
END_TEST

START_TEST(says_what_it_knows_of_a_recording_that_saw_nothing)
{
	struct prof_recording nothing = {.engine = "stop", .clock = "cpu", .rate_asked = 100};
	struct prof_text text = {0};

	prof_recording_print(&nothing, &text);
	ck_assert_str_eq(prof_text_get(&text),
		"Rate: 100 Hz asked for; 0 of 0 ticks lost (0.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n");
	prof_text_deinit(&text);
}
END_TEST

START_TEST(says_that_there_are_no_samples)
{
	for (size_t i = 0; prof_views[i]; i++) {
		const struct prof_view *view = prof_views[i];
		struct prof_choice choice = {0};
		if (view->want == PROF_WANT_NOTHING && strcmp(view->name, "threads") != 0)
			continue; /* these have no metric, or tell of each */
		check_text(show_lines(view->name, "", false, &choice), "No samples.\n");
		choice.metrics = "cpu";
		check_text(show_lines(view->name, "a 1\n", false, &choice),
			"All values of the metric \"cpu\" are 0.\n");
	}
}
END_TEST

/* Why EXPERIMENT, which is destroyed, has no samples in the view of functions, must be WHY. */
static void check_why(
	struct prof_experiment *experiment, const struct prof_choice *choice, const char *why)
{
	char *text = show("functions", experiment, choice);
	const char *last = strstr(text, "No samples");

	ck_assert_ptr_nonnull(last);
	ck_assert_str_eq(last, why);
	free(text);
	prof_experiment_destroy(experiment);
}

/* A sampled experiment without samples, of which "a" had MS of CPU time and "b" slept. */
static struct prof_experiment *experiment_unmet(int64_t ms)
{
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SPENT] = prof_value_of(ms * 1000000)};
	struct prof_experiment *experiment = experiment_of("b 0\n", false);

	record(experiment);
	add_stack(experiment, "a", ';', values);
	return experiment;
}

START_TEST(says_where_to_look_when_all_threads_slept)
{
	struct prof_choice choice = {0};

	check_why(experiment_unmet(0), &choice,
		"No samples: no thread was on a CPU.  --metric=wall shows where they waited.\n");

	struct prof_experiment *unread = experiment_unmet(0);
	unread->recording.unread = 20;
	check_why(unread, &choice,
		"No samples: no thread that was watched was on a CPU, and 20 could not be "
		"watched.\n");
}
END_TEST

START_TEST(says_why_no_tick_met_threads_that_ran)
{
	struct prof_choice choice = {0};

	check_why(experiment_unmet(1900), &choice,
		"No samples, although threads used 1.9 s of CPU time: no tick met them while they "
		"ran.  --metric=cpu shows this time.\n");
	check_why(experiment_unmet(2), &choice,
		"No samples, although threads used 0.002 s of CPU time: that is too short for a "
		"rate "
		"of 1000 Hz.  Record longer, or at a higher rate.  --metric=cpu shows this "
		"time.\n");

	struct prof_experiment *blocked = experiment_unmet(1900);
	blocked->recording.blocked = INT64_C(1500000000);
	check_why(blocked, &choice,
		"No samples, although threads used 1.9 s of CPU time: they blocked the signal that "
		"takes samples.  --metric=cpu shows this time.\n");

	struct prof_experiment *lost = experiment_unmet(1900);
	lost->recording.ticks_lost = lost->recording.ticks;
	check_why(lost, &choice,
		"No samples, although threads used 1.9 s of CPU time: all ticks (2000) were lost.  "
		"--metric=cpu shows this time.\n");
}
END_TEST

START_TEST(says_of_the_samples_shown_why_there_are_none)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = experiment_unmet(1900);

	choice.filter.values[PROF_CONDITION_FUNCTION] = "b";
	check_why(experiment, &choice,
		"No samples: no thread was on a CPU.  --metric=wall shows where they waited.\n");
}
END_TEST

START_TEST(says_that_nothing_ran_or_not_for_long)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = experiment_of("", false);

	experiment->recording.rate_asked = 100;
	check_why(experiment, &choice,
		"No samples: the program did not run while it was recorded.\n");
	experiment = experiment_of("", false);
	experiment->recording.rate_asked = 100;
	experiment->recording.duration = 2000000;
	check_why(experiment, &choice,
		"No samples: a recording of 0.002 s is too short for a rate of 100 Hz.\n");
}
END_TEST

START_TEST(prints_headings_of_empty_tables)
{
	static const struct {
		const char *view, *csv;
	} rows[] = {
		{"functions",
			"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
			"<Total>,0,0,0,0\n"},
		{"callers", "focus,role,name,attributed,percent\n<Total>,self,<Total>,0,0\n"},
		{"tree", "level,name,stub,direct,indirect,in_only,percent,parent_percent\n"},
		{"gprof",
			"name,percent,cumulative,self,calls,self_per_call,total_per_call\n\n"
			"entry,role,name,cycle,percent,self,children,called,of\n"},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct prof_choice choice = {.format = PROF_FORMAT_CSV};
		check_text(show_lines(rows[i].view, "", false, &choice), rows[i].csv);
		choice.format = PROF_FORMAT_JSON;
		free(show_lines(rows[i].view, "", false, &choice));
	}
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)what;
	++*(int *)context;
	return done > total;
}

START_TEST(prints_nothing_when_it_is_interrupted)
{
	struct prof_experiment *experiment = experiment_of("a 1\n", false);
	int calls = 0;
	struct prof_progress progress = {refuse, &calls};
	struct prof_text text = {0};
	struct prof_error *error = prof_view_print(
		prof_views[0], experiment, &(struct prof_choice){0}, &progress, &text);

	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	ck_assert_int_eq(calls, 1);
	ck_assert_uint_eq(text.length, 0);
	prof_error_destroy(error);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("view", finds_views_by_name, says_how_it_was_recorded, says_that_the_rate_was_lowered,
	the_screen_has_what_matters_only, says_that_threads_waited_for_cpus,
	says_that_no_clock_is_sure_of_bursts, says_that_no_clock_is_sure_of_bursts,
	says_how_few_samples_there_are, says_in_json_how_it_was_recorded, tells_no_rate_of_a_moment,
	says_what_it_knows_of_a_recording_that_saw_nothing,
	says_where_to_look_when_all_threads_slept, says_why_no_tick_met_threads_that_ran,
	says_of_the_samples_shown_why_there_are_none, says_that_nothing_ran_or_not_for_long,
	says_that_there_are_no_samples, prints_headings_of_empty_tables,
	prints_nothing_when_it_is_interrupted)
