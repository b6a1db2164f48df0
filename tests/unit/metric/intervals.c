/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/intervals.h"

#include "base/strings.h"
#include "metric/filter.h"
#include "metric/selection.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/sample_row.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static struct prof_experiment *experiment;

/* A mark with the figures USER, RESIDENT and PEAK; the others are unknown. */
static void mark(int64_t time, const char *label, int64_t user, int64_t resident, int64_t peak)
{
	struct prof_mark made = {.time = time, .kind = PROF_MARK_ASKED};

	prof_usage_clear(&made.usage);
	made.usage.figures[PROF_USAGE_USER] = user;
	made.usage.figures[PROF_USAGE_RESIDENT] = resident;
	made.usage.figures[PROF_USAGE_PEAK] = peak;
	ck_assert_ok(prof_experiment_mark(experiment, &made, label));
}

static void sample(int64_t time, enum prof_state state, int64_t ns)
{
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};
	struct prof_sample made = {.time = time, .state = (uint8_t)state};

	values[PROF_QUANTITY_SPENT + state] = prof_value_of(ns);
	ck_assert_ok(prof_experiment_sample(experiment, &made, values));
}

/* start 0, a 100, b 200, a 300, b 400, end 500; a sample ends at each 50. */
static struct prof_intervals *start(void)
{
	struct prof_intervals *intervals;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "main", &thread));
	mark(0, "start", 10, 1000, 1000);
	mark(100, "a", 20, 3000, 3000);
	mark(300, "a", PROF_USAGE_UNKNOWN, 1000, 5000);
	mark(200, "b, or not", 50, 2000, 5000);
	mark(400, "b, or not", 70, 1500, 5000);
	mark(500, "end", 71, 0, 5000);
	for (int i = 0; i <= 11; i++)
		sample(50 * i, i % 2 ? PROF_STATE_USER : PROF_STATE_LOCK, 50);
	ck_assert_ok(prof_intervals_create(experiment, &intervals));
	ck_assert_ok(prof_intervals_count(intervals, NULL, NULL));
	return intervals;
}

static void end(struct prof_intervals *intervals)
{
	prof_intervals_destroy(intervals);
	prof_experiment_destroy(experiment);
}

static const char *label(const struct prof_mark *of)
{
	return prof_strings_get(&experiment->strings, of->label);
}

START_TEST(marks_make_one_interval_less)
{
	struct prof_intervals *intervals = start();
	const struct prof_interval *items = intervals->items.items;

	ck_assert_uint_eq(intervals->items.count, 5);
	ck_assert_str_eq(label(items[0].start), "start");
	ck_assert_str_eq(label(items[1].start), "a");
	ck_assert_str_eq(label(items[1].stop), "b, or not");
	ck_assert_str_eq(label(items[4].stop), "end");
	ck_assert_int_eq(items[1].begin, 100);
	ck_assert_int_eq(items[1].end, 200);
	ck_assert_int_eq(items[1].duration, 100);
	end(intervals);
}
END_TEST

START_TEST(sample_is_of_the_interval_that_it_ends_in)
{
	struct prof_intervals *intervals = start();
	const struct prof_interval *items = intervals->items.items;

	ck_assert_uint_eq(prof_intervals_at(intervals, -1), 0);
	ck_assert_uint_eq(prof_intervals_at(intervals, 0), 1);
	ck_assert_uint_eq(prof_intervals_at(intervals, 100), 1);
	ck_assert_uint_eq(prof_intervals_at(intervals, 101), 2);
	ck_assert_uint_eq(prof_intervals_at(intervals, 500), 5);
	ck_assert_uint_eq(prof_intervals_at(intervals, 501), 0);
	ck_assert(items[0].samples == prof_value_of(3));
	ck_assert(items[1].samples == prof_value_of(2));
	ck_assert(items[4].samples == prof_value_of(2));
	ck_assert(items[1].spent[PROF_STATE_USER] == prof_value_of(50));
	ck_assert(items[1].spent[PROF_STATE_LOCK] == prof_value_of(50));
	ck_assert(prof_interval_thread_time(&items[1]) == prof_value_of(100));
	end(intervals);
}
END_TEST

static int64_t figure(const struct prof_interval *interval, enum prof_usage_figure which)
{
	return (int64_t)(interval->figures[which] / PROF_VALUE_ONE);
}

START_TEST(figures_are_differences_or_states)
{
	struct prof_intervals *intervals = start();
	const struct prof_interval *items = intervals->items.items;

	ck_assert_int_eq(figure(&items[0], PROF_USAGE_USER), 10);
	ck_assert_int_eq(figure(&items[1], PROF_USAGE_USER), 30);
	ck_assert_int_eq(figure(&items[2], PROF_USAGE_USER), PROF_USAGE_UNKNOWN);
	ck_assert_int_eq(figure(&items[3], PROF_USAGE_USER), PROF_USAGE_UNKNOWN);
	ck_assert_int_eq(figure(&items[4], PROF_USAGE_USER), 1);
	ck_assert_int_eq(figure(&items[0], PROF_USAGE_RESIDENT), 3000);
	ck_assert_int_eq(figure(&items[1], PROF_USAGE_RESIDENT), 2000);
	ck_assert_int_eq(figure(&items[0], PROF_USAGE_THREADS), PROF_USAGE_UNKNOWN);
	end(intervals);
}
END_TEST

START_TEST(total_is_of_all_that_were_chosen)
{
	struct prof_intervals *intervals = start();
	struct prof_interval_set set;
	struct prof_interval total;

	ck_assert_ok(prof_interval_set_parse(intervals, "1-2", &set));
	prof_intervals_total(intervals, &set, &total);
	ck_assert_int_eq(total.duration, 200);
	ck_assert_int_eq(figure(&total, PROF_USAGE_USER), 40);
	ck_assert_int_eq(figure(&total, PROF_USAGE_RESIDENT), 2000);
	ck_assert_int_eq(figure(&total, PROF_USAGE_PEAK), 5000);
	ck_assert_int_eq(figure(&total, PROF_USAGE_THREADS), PROF_USAGE_UNKNOWN);
	ck_assert(total.samples == prof_value_of(5));
	ck_assert_str_eq(label(total.start), "start");
	ck_assert_str_eq(label(total.stop), "b, or not");
	prof_interval_set_deinit(&set);
	ck_assert_ok(prof_interval_set_all(intervals, &set));
	prof_intervals_total(intervals, &set, &total);
	ck_assert_int_eq(figure(&total, PROF_USAGE_RESIDENT), 0);
	ck_assert_int_eq(total.duration, 500);
	prof_interval_set_deinit(&set);
	end(intervals);
}
END_TEST

static void assert_used(
	const struct prof_intervals *intervals, const char *list, int64_t user, int64_t peak)
{
	struct prof_interval_set set;
	struct prof_interval total;

	ck_assert_ok(prof_interval_set_parse(intervals, list, &set));
	prof_intervals_total(intervals, &set, &total);
	ck_assert_int_eq(figure(&total, PROF_USAGE_USER), user);
	ck_assert_int_eq(figure(&total, PROF_USAGE_PEAK), peak);
	prof_interval_set_deinit(&set);
}

START_TEST(unknown_between_marks_that_know_does_not_matter)
{
	struct prof_intervals *intervals = start();

	assert_used(intervals, "1-5", 61, 5000);
	assert_used(intervals, "1,5", 11, 5000);
	assert_used(intervals, "1-3", PROF_USAGE_UNKNOWN, 5000);
	assert_used(intervals, "1,4-5", PROF_USAGE_UNKNOWN, 5000);
	end(intervals);
}
END_TEST

/* Of two experiments added up the one does not tell of the other's end. */
START_TEST(unknown_end_of_an_experiment_stays_unknown)
{
	struct prof_intervals *intervals;

	ck_assert_ok(prof_experiment_create(&experiment));
	mark(0, "start", 10, 1000, 1000);
	mark(100, "end", PROF_USAGE_UNKNOWN, 1000, PROF_USAGE_UNKNOWN);
	mark(100, "start", 10, 1000, 2000);
	experiment->marks.items[2].kind = PROF_MARK_START;
	mark(200, "end", 20, 1000, 2000);
	ck_assert_ok(prof_intervals_create(experiment, &intervals));
	assert_used(intervals, "1-3", PROF_USAGE_UNKNOWN, PROF_USAGE_UNKNOWN);
	assert_used(intervals, "3", 10, 2000);
	end(intervals);
}
END_TEST

START_TEST(experiment_without_two_marks_has_no_interval)
{
	struct prof_intervals *intervals;
	struct prof_interval_set set;
	struct prof_interval total;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int marks = 0; marks < 2; marks++) {
		ck_assert_ok(prof_intervals_create(experiment, &intervals));
		ck_assert_uint_eq(intervals->items.count, 0);
		ck_assert_uint_eq(prof_intervals_at(intervals, 0), 0);
		ck_assert_ok(prof_interval_set_all(intervals, &set));
		prof_intervals_total(intervals, &set, &total);
		ck_assert_int_eq(total.duration, 0);
		prof_interval_set_deinit(&set);
		prof_intervals_destroy(intervals);
		mark(5, "only", 1, 1, 1);
	}
	prof_experiment_destroy(experiment);
}
END_TEST

/* The numbers in SET, as "2 3 4". */
static void assert_set(struct prof_interval_set *set, const char *expected)
{
	char text[64] = "";

	for (size_t i = 0; i <= set->count; i++) {
		if (set->has[i])
			sprintf(text + strlen(text), "%s%zu", *text ? " " : "", i);
	}
	ck_assert_str_eq(text, expected);
	prof_interval_set_deinit(set);
}

START_TEST(lists_are_numbers_and_ranges)
{
	struct prof_intervals *intervals = start();
	struct prof_interval_set set;

	ck_assert_ok(prof_interval_set_parse(intervals, "2-4,1", &set));
	assert_set(&set, "1 2 3 4");
	ck_assert_ok(prof_interval_set_parse(intervals, "5", &set));
	assert_set(&set, "5");
	ck_assert_ok(prof_interval_set_parse(intervals, "3-3,3,2-3", &set));
	assert_set(&set, "2 3");
	ck_assert_ok(prof_interval_set_all(intervals, &set));
	assert_set(&set, "1 2 3 4 5");
	end(intervals);
}
END_TEST

/* TEXT is refused by READ with a sentence that holds PART. */
static void assert_refused(struct prof_intervals *intervals,
	struct prof_error *(*read)(const struct prof_intervals *intervals, const char *text,
		struct prof_interval_set *ret),
	const char *text, const char *part)
{
	struct prof_interval_set set = {0};
	bool misspelt = strstr(part, "not a list") || strstr(part, "not a pair") ||
		strstr(part, "reversed");
	AUTO_ERROR struct prof_error *error = read(intervals, text, &set);

	ck_assert_msg(error != NULL, "%s", text);
	ck_assert_int_eq(prof_error_code(error), misspelt ? PROF_ERROR_USAGE : PROF_ERROR_MISSING);
	ck_assert_msg(strstr(prof_error_message(error), part) != NULL, "%s: %s", text,
		prof_error_message(error));
	ck_assert_ptr_null(set.has);
}

START_TEST(wrong_lists_are_named)
{
	static const struct {
		const char *text, *part;
	} wrong[] = {{"", "\"\" is not a list"}, {"x", "\"x\" is not a list"}, {"1,", "not a list"},
		{",1", "not a list"}, {"1-", "not a list"}, {"-1", "not a list"},
		{"1 2", "not a list"}, {"1.5", "not a list"}, {"0", "no interval 0"},
		{"6", "no interval 6"}, {"6", "from 1 to 5"}, {"4-6", "no interval 6"},
		{"4-2", "reversed: write 2-4"}, {"99999999999999999999999", "no interval"},
		{"1-2-3", "not a list"}};
	struct prof_intervals *intervals = start();

	for (size_t i = 0; i < PROF_COUNT(wrong); i++)
		assert_refused(intervals, prof_interval_set_parse, wrong[i].text, wrong[i].part);
	end(intervals);
}
END_TEST

START_TEST(labels_have_all_between_them)
{
	struct prof_intervals *intervals = start();
	struct prof_interval_set set;

	ck_assert_ok(prof_interval_set_between(intervals, "a,b, or not", &set));
	assert_set(&set, "2 4");
	ck_assert_ok(prof_interval_set_between(intervals, "a,a", &set));
	assert_set(&set, "2 3");
	ck_assert_ok(prof_interval_set_between(intervals, "start,end", &set));
	assert_set(&set, "1 2 3 4 5");
	ck_assert_ok(prof_interval_set_between(intervals, "b, or not,end", &set));
	assert_set(&set, "3 4 5");
	end(intervals);
}
END_TEST

START_TEST(filter_counts_what_it_lets_pass)
{
	struct prof_filter filter = {{[PROF_CONDITION_INTERVAL] = "2-4",
		[PROF_CONDITION_BETWEEN] = "a,a",
		[PROF_CONDITION_STATE] = "user"}};
	struct prof_intervals *intervals = start();
	struct prof_selection *selection;
	struct prof_interval_set set;

	ck_assert_ok(prof_interval_set_filter(intervals, &(struct prof_filter){{0}}, &set));
	assert_set(&set, "1 2 3 4 5");
	ck_assert_ok(prof_interval_set_filter(intervals, &filter, &set));
	assert_set(&set, "2 3");
	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	ck_assert_uint_eq(selection->count, 2); /* at 150 and 250 */
	ck_assert(prof_selection_has(selection, 3) && prof_selection_has(selection, 5));
	prof_intervals_destroy(intervals);
	ck_assert_ok(prof_intervals_create(experiment, &intervals));
	ck_assert_ok(prof_intervals_count(intervals, selection, NULL));
	ck_assert(intervals->items.items[1].samples == prof_value_of(1));
	ck_assert(intervals->items.items[0].samples == 0);
	prof_selection_destroy(selection);
	/* A sample after the last mark is of none. */
	filter = (struct prof_filter){{[PROF_CONDITION_INTERVAL] = "1-5"}};
	ck_assert_ok(prof_selection_create(experiment, &filter, &selection));
	ck_assert_uint_eq(selection->count, experiment->samples.count - 1);
	prof_selection_destroy(selection);
	end(intervals);
}
END_TEST

START_TEST(wrong_labels_are_named)
{
	static const struct {
		const char *text, *part;
	} wrong[] = {{"", "not a pair"}, {"a", "\"a\" is not a pair"}, {"a,", "not a pair"},
		{",a", "not a pair"}, {"a,x", "labelled \"x\""}, {"x,a", "labelled \"x\""},
		{"end,start",
			"No mark labelled \"start\" comes after one labelled \"end\"; see prof-intervals."}};
	struct prof_intervals *intervals = start();

	for (size_t i = 0; i < PROF_COUNT(wrong); i++)
		assert_refused(intervals, prof_interval_set_between, wrong[i].text, wrong[i].part);
	end(intervals);
}
END_TEST

RUN_TESTS("intervals", marks_make_one_interval_less, sample_is_of_the_interval_that_it_ends_in,
	figures_are_differences_or_states, total_is_of_all_that_were_chosen,
	unknown_between_marks_that_know_does_not_matter, unknown_end_of_an_experiment_stays_unknown,
	experiment_without_two_marks_has_no_interval, lists_are_numbers_and_ranges,
	wrong_lists_are_named, labels_have_all_between_them, filter_counts_what_it_lets_pass,
	wrong_labels_are_named)
