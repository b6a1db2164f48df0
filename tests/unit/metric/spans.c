/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where samples lie in time. */
#include "metric/spans.h"

#include "base/memory.h"
#include "base/text.h"
#include "metric/metric.h"
#include "metric/sequence.h"
#include "sample_at.h"
#include "suite.h"

#include <inttypes.h>

enum { MS = 1000000 };

/* A sample of a test, with what it is made of. */
struct sample {
	int thread;
	int64_t time;     /* ms */
	const char *path; /* functions, one character each; "" is the empty stack */
	int64_t spent;    /* ms */
	int weight;
};

static struct prof_experiment *create(const struct sample *samples, double rate)
{
	struct prof_experiment *experiment;
	uint32_t thread, function, frame;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int i = 0; i < 3; i++)
		ck_assert_ok(prof_experiment_thread(experiment, i, "", &thread));
	experiment->recording.rate_asked = rate;
	for (; samples->path; samples++) {
		struct prof_sample sample = {
			.thread = (uint32_t)samples->thread, .time = samples->time * MS};
		const prof_value values[PROF_QUANTITIES] = {
			[PROF_QUANTITY_SAMPLES] = prof_value_of(samples->weight),
			[PROF_QUANTITY_SPENT + PROF_STATE_LOCK] =
				prof_value_of(samples->spent * MS)};
		for (const char *at = samples->path; *at; at++) {
			ck_assert_ok(prof_experiment_function(experiment, at, 1, 0, &function));
			ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
			ck_assert_ok(
				prof_experiment_path(experiment, sample.path, frame, &sample.path));
		}
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
	return experiment;
}

/* What SAMPLES are of, as "NUMBER BEGIN-END" in ms, or units, in their order. */
static void check(
	const struct sample *samples, double rate, bool timed, bool calls, const char *expected)
{
	struct prof_experiment *experiment = create(samples, rate);
	struct prof_spans spans;
	struct prof_text text = {0};

	ck_assert_ok(prof_spans_init(&spans, experiment, prof_metrics));
	ck_assert_int_eq(spans.timed, timed);
	ck_assert_int_eq(spans.calls, calls);
	for (size_t i = 0; i < experiment->samples.count; i++) {
		double unit = timed ? MS : 1;
		prof_text_print(&text, "%" PRIu32 " %.3g-%.3g\n", spans.order[i].number,
			spans.items[i].begin / unit, spans.items[i].end / unit);
	}
	ck_assert_str_eq(prof_text_get(&text), expected);
	prof_text_deinit(&text);
	prof_spans_deinit(&spans);
	prof_experiment_destroy(experiment);
}

START_TEST(samples_last_as_long_as_they_say)
{
	static const struct sample samples[] = {{0, 20, "ab", 20, 1}, {1, 15, "c", 5, 1},
		{0, 50, "ab", 30, 1}, {0, 100, "ac", 20, 1}, {0}};

	check(samples, 100, true, false, "0 0-20\n2 20-50\n3 80-100\n1 10-15\n");
}
END_TEST

START_TEST(what_is_nearly_next_to_each_other_is_so)
{
	static const struct sample samples[] = {
		{0, 20, "ab", 10, 1}, {0, 29, "ab", 5, 1}, {0, 40, "ab", 30, 1}, {0}};

	check(samples, 100, true, false, "0 10-20\n1 20-29\n2 29-40\n");
}
END_TEST

START_TEST(of_one_time_what_goes_on_comes_first)
{
	static const struct sample samples[] = {{0, 20, "ab", 10, 1}, {0, 50, "ac", 5, 1},
		{0, 50, "ab", 15, 1}, {0, 50, "ad", 10, 1}, {0}};

	check(samples, 100, true, false, "0 10-20\n2 20-35\n1 35-40\n3 40-50\n");
}
END_TEST

START_TEST(what_says_nothing_lasts_as_is_usual)
{
	static const struct sample samples[] = {{0, 10, "ab", 0, 1}, {0, 20, "ab", 0, 1},
		{0, 30, "abc", 0, 1}, {0, 90, "ab", 0, 1}, {1, 35, "ab", 0, 1}, {0}};

	check(samples, 0, true, false, "0 0-10\n1 10-20\n2 20-30\n3 80-90\n4 25-35\n");
	/* What was sampled by ourselves knows it. */
	check(samples, 100, true, false, "0 10-10\n1 20-20\n2 30-30\n3 90-90\n4 35-35\n");
}
END_TEST

/* Long and short calls, after each of which the thread does something else. */
START_TEST(traced_calls_last_as_long_as_the_metric_has_it)
{
	static const struct sample samples[] = {{0, 100, "a", 0, 1}, {0, 400, "b", 0, 1},
		{0, 401, "c", 0, 1}, {0, 402, "d", 0, 1}, {0}};
	static const int64_t times[] = {60 * MS, 250 * MS, MS / 2, MS / 4};
	struct prof_experiment *experiment = create(samples, 0);
	struct prof_metric metric;
	struct prof_spans spans;

	for (uint32_t i = 0; i < PROF_COUNT(times); i++) {
		struct prof_sample_row row = row_at(experiment, i);
		prof_sample_row_set(
			&row, PROF_QUANTITY_TRACED + PROF_TRACED_MPI_TIME, prof_value_of(times[i]));
		set_row(experiment, i, &row);
	}
	experiment->recording.families = 1;
	ck_assert_ok(prof_metric_find(experiment, "mpi-time", &metric));
	ck_assert_ok(prof_spans_init(&spans, experiment, &metric));
	for (size_t i = 0; i < PROF_COUNT(times); i++) {
		ck_assert_double_eq_tol(spans.items[i].end, (double)samples[i].time * MS, 1);
		ck_assert_double_eq_tol(
			spans.items[i].end - spans.items[i].begin, (double)times[i], 1);
	}
	prof_spans_deinit(&spans);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(without_times_they_follow_each_other)
{
	static const struct sample samples[] = {
		{0, 0, "ab", 0, 3}, {1, 0, "c", 0, 1}, {0, 0, "ad", 0, 4}, {0}};

	check(samples, 0, false, false, "0 0-3\n2 3-7\n1 0-1\n");
}
END_TEST

START_TEST(calls_follow_what_has_called_them)
{
	static const struct sample costs[] = {{0, 0, "a", 0, 1}, {0, 0, "ab", 0, 2},
		{0, 0, "abc", 0, 3}, {0, 0, "ad", 0, 4}, {1, 0, "a", 0, 1}, {0, 0, "a", 0, 1}, {0}};
	static const struct sample times[] = {
		{0, 0, "a", 5, 1}, {0, 1, "ab", 2, 2}, {0, 9, "a", 1, 2}, {0}};
	static const struct sample weights[] = {{0, 1, "a", 0, 1}, {0, 2, "b", 0, 1}, {0}};
	static const struct sample empty[] = {{0, 0, "a", 0, 1}, {0, 0, "", 0, 1}, {0}};

	check(costs, 0, false, true, "0 0-1\n1 1-3\n2 3-6\n3 6-10\n5 10-11\n4 0-1\n");
	check(times, 0, true, true, "0 0-5\n1 5-7\n2 7-8\n");
	check(weights, 0, true, false, "0 0-1\n1 1-2\n");
	check(empty, 0, false, false, "0 0-1\n1 1-2\n");
}
END_TEST

START_TEST(nothing_has_no_spans)
{
	static const struct sample none[] = {{0}};

	check(none, 0, false, false, "");
	check(none, 100, false, false, "");
}
END_TEST

RUN_TESTS("spans", traced_calls_last_as_long_as_the_metric_has_it, samples_last_as_long_as_they_say,
	what_is_nearly_next_to_each_other_is_so, of_one_time_what_goes_on_comes_first,
	what_says_nothing_lasts_as_is_usual, without_times_they_follow_each_other,
	calls_follow_what_has_called_them, nothing_has_no_spans)
