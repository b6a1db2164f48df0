/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/histogram.h"

#include "metric/durations.h"
#include "suite.h"

#include <string.h>

static struct prof_durations durations;

static void add(int64_t duration, unsigned count)
{
	while (count--)
		ck_assert(prof_durations_add(&durations, duration));
}

/* The picture of the durations, which it frees. */
static void draw(struct prof_text *text)
{
	AUTO_DURATION_BINS struct prof_duration_bins bins;

	prof_durations_sort(&durations);
	ck_assert_ok(prof_duration_bins_init(&bins, &durations));
	const struct prof_histogram_picture picture = {.durations = &durations,
		.bins = &bins,
		.title = "a<b: \033[31mf",
		.subtitle = "few & short",
		.notes = "first\n&second\n"};
	ck_assert_ok(prof_histogram_print(&picture, text));
	prof_durations_deinit(&durations);
}

static void check_has(const struct prof_text *text, const char *what)
{
	ck_assert_msg(strstr(prof_text_get(text), what) != NULL, "no \"%s\" in:\n%s", what,
		strstr(prof_text_get(text), "</style>"));
}

static size_t count(const struct prof_text *text, const char *what)
{
	size_t found = 0;

	for (const char *at = prof_text_get(text); (at = strstr(at, what)); at++)
		found++;
	return found;
}

START_TEST(each_bin_with_calls_is_a_bar)
{
	AUTO_TEXT struct prof_text text = {0};

	add(1200, 2);
	add(6000, 96);
	add(60000, 1);
	add(2000000, 1);
	draw(&text);
	check_has(&text,
		"<g><title>1 us to 1.5 us: 2 calls, 2.00 %; shorter than its end: 2.00 %</title>");
	check_has(&text,
		"<g><title>5 us to 7 us: 96 calls, 96.00 %; shorter than its end: 98.00 %</title>");
	check_has(&text, ">1.5 ms</text>");
	check_has(&text, "2 ms to 3 ms: 1 call, 1.00 %; shorter than its end: 100.00 %</title>");
	ck_assert_uint_eq(count(&text, "<rect class=\"b6\""), 4);
	/* The highest bar, and those of single calls. */
	ck_assert_uint_eq(count(&text, "height=\"300\"/>"), 1);
	ck_assert_uint_eq(count(&text, "height=\"3\"/>"), 2);
	check_has(&text, ">p50 6 us</text>");
	check_has(&text, ">p99 60 us</text>");
	check_has(&text, ">max 2 ms</text>");
}
END_TEST

START_TEST(bars_of_single_calls_among_many_are_seen)
{
	AUTO_TEXT struct prof_text text = {0};

	add(1000, 100000);
	add(50000, 1);
	draw(&text);
	ck_assert_uint_eq(count(&text, "height=\"2\"/>"), 1);
	check_has(&text, ">100000</text>");
}
END_TEST

START_TEST(words_are_not_markup)
{
	AUTO_TEXT struct prof_text text = {0};

	add(5, 1);
	draw(&text);
	check_has(&text, "a&lt;b: ");
	ck_assert_ptr_null(strchr(prof_text_get(&text), '\033'));
	check_has(&text, ">few &amp; short</text>");
	check_has(&text, ">&amp;second</text>");
	check_has(&text, ">p50 5 ns</text>");
}
END_TEST

START_TEST(nothing_has_no_bars)
{
	AUTO_TEXT struct prof_text text = {0};

	draw(&text);
	ck_assert_uint_eq(count(&text, "<g"), 0);
	check_has(&text, ">first</text>");
	check_has(&text, "</svg>");
}
END_TEST

START_TEST(any_durations_fit)
{
	AUTO_TEXT struct prof_text text = {0};

	add(0, 3);
	add(1, 1);
	add(INT64_MAX / 2, 1);
	draw(&text);
	check_has(&text, "0 ns to 1 ns: 3 calls");
	ck_assert_ptr_null(strstr(prof_text_get(&text), "nan"));
	ck_assert_uint_eq(count(&text, "<rect class=\"b6\""), 3);
}
END_TEST

RUN_TESTS("picture histogram", each_bin_with_calls_is_a_bar,
	bars_of_single_calls_among_many_are_seen, words_are_not_markup, nothing_has_no_bars,
	any_durations_fit)
