/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Percentiles and histograms of durations. */
#include "metric/durations.h"

#include "base/text.h"
#include "model/sample_row.h"
#include "suite.h"

#include <stdlib.h>

static struct prof_durations durations;

static void add(int64_t duration)
{
	ck_assert(prof_durations_add(&durations, duration));
}

/* From FIRST to LAST, the longest first. */
static void add_range(int64_t first, int64_t last)
{
	for (int64_t i = last; i >= first; i--)
		add(i);
}

static void expect_percentile(unsigned percent, int64_t expected)
{
	ck_assert_int_eq(prof_durations_percentile(&durations, percent), expected);
}

START_TEST(percentiles_are_of_the_nearest_rank)
{
	add_range(1, 100);
	prof_durations_sort(&durations);
	expect_percentile(1, 1);
	expect_percentile(50, 50);
	expect_percentile(90, 90);
	expect_percentile(99, 99);
	expect_percentile(100, 100);
	ck_assert(durations.total == prof_value_of(5050));
	prof_durations_deinit(&durations);
	/* The example of five: ranks 0.25, 2.5, 4.5 and 4.95 are rounded up. */
	add(50);
	add(15);
	add(40);
	add(20);
	add(35);
	prof_durations_sort(&durations);
	expect_percentile(5, 15);
	expect_percentile(50, 35);
	expect_percentile(90, 50);
	expect_percentile(99, 50);
	prof_durations_deinit(&durations);
	add(7);
	prof_durations_sort(&durations);
	expect_percentile(1, 7);
	expect_percentile(99, 7);
	prof_durations_deinit(&durations);
}
END_TEST

START_TEST(percentiles_of_many_are_exact)
{
	enum { COUNT = 12345 };

	for (int64_t i = 0; i < COUNT; i++)
		add(i * 7919 % COUNT);
	prof_durations_sort(&durations);
	/* The rank of p percent of N is the least whole number that is not below p * N / 100. */
	expect_percentile(50, 6173 - 1);
	expect_percentile(90, 11111 - 1);
	expect_percentile(99, 12222 - 1);
	prof_durations_deinit(&durations);
}
END_TEST

/* The bins are these: LOW-HIGH:CALLS, with blanks between them; this frees the durations. */
static void expect_bins(const char *expected, uint64_t most)
{
	AUTO_DURATION_BINS struct prof_duration_bins bins;
	AUTO_TEXT struct prof_text text = {0};

	prof_durations_sort(&durations);
	ck_assert_ok(prof_duration_bins_init(&bins, &durations));
	for (size_t i = 0; i < bins.items.count; i++) {
		const struct prof_duration_bin *bin = &bins.items.items[i];
		prof_text_print(&text, "%s%lld-%lld:%llu", i ? " " : "", (long long)bin->low,
			(long long)bin->high, (unsigned long long)bin->calls);
	}
	ck_assert_str_eq(prof_text_get(&text), expected);
	ck_assert_uint_eq(bins.most, most);
	prof_durations_deinit(&durations);
}

START_TEST(close_durations_have_bins_of_one_width)
{
	add_range(1000, 1099);
	expect_bins("1000-1005:5 1005-1010:5 1010-1015:5 1015-1020:5 1020-1025:5 1025-1030:5 "
		    "1030-1035:5 1035-1040:5 1040-1045:5 1045-1050:5 1050-1055:5 1055-1060:5 "
		    "1060-1065:5 1065-1070:5 1070-1075:5 1075-1080:5 1080-1085:5 1085-1090:5 "
		    "1090-1095:5 1095-1100:5",
		5);
	add(999);
	add(1398);
	expect_bins("980-1000:1 1000-1020:0 1020-1040:0 1040-1060:0 1060-1080:0 1080-1100:0 "
		    "1100-1120:0 1120-1140:0 1140-1160:0 1160-1180:0 1180-1200:0 1200-1220:0 "
		    "1220-1240:0 1240-1260:0 1260-1280:0 1280-1300:0 1300-1320:0 1320-1340:0 "
		    "1340-1360:0 1360-1380:0 1380-1400:1",
		1);
}
END_TEST

START_TEST(equal_durations_are_one_bin)
{
	add(4711);
	add(4711);
	expect_bins("4711-4712:2", 2);
	add(0);
	expect_bins("0-1:1", 1);
	add(PROF_TIME_MOST);
	expect_bins("4611686018427387903-4611686018427387904:1", 1);
	expect_bins("", 0);
}
END_TEST

START_TEST(far_durations_have_bins_that_grow)
{
	add(10);
	add(19);
	add(20);
	add(1000);
	expect_bins("10-15:1 15-20:1 20-30:1 30-50:0 50-70:0 70-100:0 100-150:0 150-200:0 "
		    "200-300:0 300-500:0 500-700:0 700-1000:0 1000-1500:1",
		1);
	add(3);
	add(PROF_TIME_MOST);
	AUTO_DURATION_BINS struct prof_duration_bins bins;
	prof_durations_sort(&durations);
	ck_assert_ok(prof_duration_bins_init(&bins, &durations));
	ck_assert_int_eq(bins.items.items[0].low, 3);
	ck_assert_int_eq(bins.items.items[bins.items.count - 1].high, 5000000000000000000);
	prof_durations_deinit(&durations);
}
END_TEST

START_TEST(calls_without_time_have_a_bin)
{
	add(0);
	add(0);
	add(3000);
	add(6000);
	expect_bins("0-3000:2 3000-5000:1 5000-7000:1", 2);
	add(0);
	add(1);
	add(30);
	expect_bins("0-1:1 1-2:1 2-3:0 3-5:0 5-7:0 7-10:0 10-15:0 15-20:0 20-30:0 30-50:1", 1);
}
END_TEST

/* Every call is in one bin, and bins join. */
START_TEST(bins_have_all_calls)
{
	for (unsigned seed = 1; seed < 200; seed++) {
		unsigned state = seed;
		size_t count = (size_t)rand_r(&state) % 300 + 1;
		int shift = rand_r(&state) % 31;
		for (size_t i = 0; i < count; i++)
			add((int64_t)rand_r(&state) << shift >> (rand_r(&state) % 30));
		prof_durations_sort(&durations);
		AUTO_DURATION_BINS struct prof_duration_bins bins;
		ck_assert_ok(prof_duration_bins_init(&bins, &durations));
		uint64_t calls = 0;
		for (size_t i = 0; i < bins.items.count; i++) {
			const struct prof_duration_bin *bin = &bins.items.items[i];
			calls += bin->calls;
			ck_assert_int_lt(bin->low, bin->high);
			ck_assert(!i || bin[-1].high == bin->low);
		}
		ck_assert_uint_eq(calls, count);
		ck_assert_uint_le(bins.items.count, 120);
		ck_assert_int_le(bins.items.items[0].low, durations.list.items[0]);
		ck_assert_int_gt(bins.items.items[bins.items.count - 1].high,
			durations.list.items[count - 1]);
		ck_assert_uint_gt(bins.items.items[bins.items.count - 1].calls, 0);
		prof_durations_deinit(&durations);
	}
}
END_TEST

RUN_TESTS("metric durations", percentiles_are_of_the_nearest_rank, percentiles_of_many_are_exact,
	close_durations_have_bins_of_one_width, equal_durations_are_one_bin,
	far_durations_have_bins_that_grow, calls_without_time_have_a_bin, bins_have_all_calls)
