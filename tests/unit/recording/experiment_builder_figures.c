/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_builder.h"

static void report(struct prof_figures figures)
{
	const struct prof_message message = {.kind = PROF_MESSAGE_FIGURES, .figures = figures};

	add(message, NULL, 0);
}

START_TEST(figures_are_added_up)
{
	struct prof_figures figures = {.rounds = 10,
		.ticks = 8,
		.lost = 1,
		.duration = 100,
		.until = START + 100,
		.stopped = 5,
		.running = 80,
		.rate = 1000};

	start();
	const struct prof_recording *recording = &builder.experiment->recording;
	builder.experiment->recording.rate_lowest = 1000;
	report(figures);
	figures.rate = 250;
	figures.until += 100;
	report(figures);
	figures.rate = 500;
	figures.until += 100;
	report(figures);
	ck_assert_uint_eq(recording->rounds, 30);
	ck_assert_uint_eq(recording->ticks, 24);
	ck_assert_uint_eq(recording->ticks_lost, 3);
	ck_assert_int_eq(recording->duration, 300);
	ck_assert_int_eq(recording->stopped, 15);
	ck_assert_int_eq(recording->running, 240);
	ck_assert_double_eq(recording->rate_lowest, 250);
	end();
}
END_TEST

/* Three processes go on at the same time, and each has a ticker. */
START_TEST(seconds_of_several_processes_count_once)
{
	start();
	const struct prof_recording *recording = &builder.experiment->recording;
	for (int64_t second = 1; second <= 10; second++) {
		for (int64_t process = 0; process < 3; process++)
			report((struct prof_figures){.rounds = 100,
				.running = 1000,
				.duration = 1000,
				.until = START + 1000 * second + 10 * process,
				.rate = 100});
	}
	ck_assert_int_eq(recording->duration, 10020);
	ck_assert_uint_ge(recording->rounds, 1000);
	ck_assert_uint_le(recording->rounds, 1002);
	ck_assert_int_eq(recording->running, 30000);
	end();
}
END_TEST

/* A process of which nothing is told for long was there all the same. */
START_TEST(what_is_told_late_counts)
{
	start();
	const struct prof_recording *recording = &builder.experiment->recording;
	report((struct prof_figures){.rounds = 1, .duration = 100, .until = START + 1000});
	report((struct prof_figures){.rounds = 10, .duration = 1000, .until = START + 1000});
	ck_assert_int_eq(recording->duration, 1000);
	ck_assert_uint_eq(recording->rounds, 10);
	end();
}
END_TEST

/* The marker's clock goes on while the debugger holds the process without notice. */
START_TEST(a_mark_has_the_time_that_tickers_report)
{
	struct prof_message message = {.kind = PROF_MESSAGE_MARK, .mark.time = START + 1000};
	struct {
		struct prof_usage usage;
		char label[5];
	} data = {.label = "here"};

	start();
	prof_usage_clear(&data.usage);
	data.usage.figures[PROF_USAGE_RUNNING] = 990;
	add(message, &data, sizeof data);
	report((struct prof_figures){.rounds = 3, .duration = 300, .until = START + 400});
	add(message, &data, sizeof data);
	const struct prof_mark *marks = builder.experiment->marks.items;
	ck_assert_int_eq(marks[0].usage.figures[PROF_USAGE_RUNNING], 990);
	ck_assert_int_eq(marks[1].usage.figures[PROF_USAGE_RUNNING], 300);
	end();
}
END_TEST

RUN_TESTS("experiment_builder figures", figures_are_added_up,
	seconds_of_several_processes_count_once, what_is_told_late_counts,
	a_mark_has_the_time_that_tickers_report)
