/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/amount.h"

#include "suite.h"

#include <math.h>
#include <stdio.h>

static double rate(const char *text)
{
	double rate = 0;

	ck_assert_ok(amount_read_rate(text, &rate));
	return rate;
}

static double interval(const char *text)
{
	double rate = 0;

	ck_assert_ok(amount_read_interval(text, &rate));
	return rate;
}

/* In ns. */
static int64_t period(const char *text)
{
	int64_t period = 0;

	ck_assert_ok(amount_read_period(text, "a test", &period));
	return period;
}

static bool is(double value, double expected)
{
	return fabs(value - expected) < 1e-9 * expected;
}

START_TEST(rates_are_numbers_or_presets)
{
	static const char *const wrong[] = {
		"", "0", "0.09", "20001", "-1", "1x", "nan", "inf", "fast"};
	double untouched = 7;

	ck_assert(is(rate("0.1"), 0.1) && is(rate("250"), 250) && is(rate("20000"), 20000));
	ck_assert(is(rate("hi"), 1000) && is(rate("on"), 100) && is(rate("lo"), 10));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ck_assert_error(amount_read_rate(wrong[i], &untouched), "is not a sampling rate");
	ck_assert(is(untouched, 7));
}
END_TEST

START_TEST(intervals_are_ms_unless_they_have_a_unit)
{
	double untouched = 7;

	ck_assert(is(interval("10"), 100) && is(interval("10ms"), 100));
	ck_assert(is(interval("50us"), 20000) && is(interval("0.5s"), 2));
	ck_assert(is(interval("lo"), 10));
	ck_assert_error(amount_read_interval("49us", &untouched), "\"49us\"");
	ck_assert_error(amount_read_interval("10.1s", &untouched), "\"10.1s\"");
	ck_assert_error(amount_read_interval("10 apples", &untouched), "an interval of 50 us");
	ck_assert_error(amount_read_interval("", &untouched), "\"\"");
	ck_assert_error(amount_read_interval("-5", &untouched), "\"-5\"");
	ck_assert(is(untouched, 7));
}
END_TEST

START_TEST(periods_are_seconds_unless_they_have_a_unit)
{
	int64_t untouched = 7;

	ck_assert_int_eq(period("2"), INT64_C(2000000000));
	ck_assert_int_eq(period("1.5s"), INT64_C(1500000000));
	ck_assert_int_eq(period("1ms"), 1000000);
	ck_assert_int_eq(period("1000000"), INT64_C(1000000000000000));
	ck_assert_error(amount_read_period("999us", "a test", &untouched), "cannot be a test");
	ck_assert_error(amount_read_period("1000001", "a test", &untouched), "1000000 s");
	ck_assert_error(amount_read_period("1m", "a test", &untouched), "\"1m\"");
	ck_assert_error(amount_read_period("nan", "a test", &untouched), "\"nan\"");
	ck_assert_int_eq(untouched, 7);
}
END_TEST

START_TEST(shares_are_percentages)
{
	double share = 7;

	ck_assert_error(amount_read_share("0", &share), "is not a share of time");
	ck_assert_error(amount_read_share("100.1", &share), "up to 100");
	ck_assert_error(amount_read_share("5%%", &share), "\"5%%\"");
	ck_assert_error(amount_read_share("%", &share), "\"%\"");
	ck_assert(is(share, 7));
	ck_assert_ok(amount_read_share("25%", &share));
	ck_assert(is(share, 0.25));
	ck_assert_ok(amount_read_share("100", &share));
	ck_assert(is(share, 1));
}
END_TEST

/* READ takes what is from LEAST to MOST, in UNITS, and refuses all else as PART says. */
static void check_whole(struct prof_error *(*read)(const char *text, size_t *ret), size_t least,
	size_t most, size_t units, const char *part)
{
	static const char *const wrong[] = {"", "-1", "+1", " 1", "1.5", "1x", "0x10",
		"99999999999999999999999", "10000000000"};
	char text[32];
	size_t number = 7;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ck_assert_error(read(wrong[i], &number), part);
	snprintf(text, sizeof text, "%zu", most + 1);
	ck_assert_error(read(text, &number), part);
	if (least)
		ck_assert_error(read("0", &number), part);
	ck_assert_uint_eq(number, 7);
	snprintf(text, sizeof text, "%zu", least);
	ck_assert_ok(read(text, &number));
	ck_assert_uint_eq(number, least * units);
	snprintf(text, sizeof text, "%zu", most);
	ck_assert_ok(read(text, &number));
	ck_assert_uint_eq(number, most * units);
}

START_TEST(whole_numbers_have_bounds)
{
	size_t number;

	check_whole(amount_read_depth, 1, 100000, 1, "is not a stack depth");
	check_whole(amount_read_memory, 1, 65536, 1 << 20, "is not a size");
	check_whole(amount_read_verify, 0, 1000000000, 1, "does not select stacks");
	ck_assert_ok(amount_read_verify("off", &number));
	ck_assert_uint_eq(number, 0);
}
END_TEST

START_TEST(sizes_are_mb_or_unlimited)
{
	uint64_t size = 7;

	ck_assert_ok(amount_read_size("unlimited", &size));
	ck_assert_uint_eq(size, 0);
	size = 7;
	ck_assert_ok(amount_read_size("none", &size));
	ck_assert_uint_eq(size, 0);
	ck_assert_ok(amount_read_size("0.5", &size));
	ck_assert_uint_eq(size, 1 << 19);
	ck_assert_ok(amount_read_size("16777216", &size));
	ck_assert_uint_eq(size, UINT64_C(1) << 44);
	ck_assert_error(amount_read_size("0", &size), "is not a limit of size");
	ck_assert_error(amount_read_size("16777217", &size), "0.1 to 16777216 MB");
	ck_assert_error(amount_read_size("1 MB", &size), "\"1 MB\"");
	ck_assert_error(amount_read_size("", &size), "or unlimited");
}
END_TEST

START_TEST(waits_are_all_or_calibrated_or_have_a_threshold)
{
	bool calibrate = false;
	int64_t threshold = 7;

	ck_assert_ok(amount_read_waits("", &calibrate, &threshold));
	ck_assert(calibrate && !threshold);
	ck_assert_ok(amount_read_waits("all", &calibrate, &threshold));
	ck_assert(!calibrate && !threshold);
	ck_assert_ok(amount_read_waits("calibrate", &calibrate, &threshold));
	ck_assert(calibrate && !threshold);
	ck_assert_ok(amount_read_waits("5", &calibrate, &threshold));
	ck_assert(!calibrate);
	ck_assert_int_eq(threshold, 5000);
	ck_assert_ok(amount_read_waits("2ms", &calibrate, &threshold));
	ck_assert_int_eq(threshold, 2000000);
	ck_assert_error(amount_read_waits("-1", &calibrate, &threshold), "does not select waits");
	ck_assert_error(amount_read_waits("some", &calibrate, &threshold), "\"some\"");
	ck_assert_error(amount_read_waits("1e10s", &calibrate, &threshold), "\"1e10s\"");
}
END_TEST

START_TEST(rates_are_described)
{
	AUTO_TEXT struct prof_text text = {0};

	amount_say_rates(&text);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text),
		"Sampling rates are 0.1 to 20000 Hz, which is every 10 s to 50 us;"));
}
END_TEST

RUN_TESTS("amount", rates_are_numbers_or_presets, intervals_are_ms_unless_they_have_a_unit,
	periods_are_seconds_unless_they_have_a_unit, shares_are_percentages,
	whole_numbers_have_bounds, sizes_are_mb_or_unlimited,
	waits_are_all_or_calibrated_or_have_a_threshold, rates_are_described)
