/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/value.h"

#include "suite.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ONE ((prof_value)PROF_VALUE_ONE)

__extension__ typedef unsigned __int128 product;

static prof_value parse(const char *text)
{
	prof_value value = -1;

	ck_assert_msg(prof_value_parse(text, strlen(text), &value), "%s", text);
	return value;
}

static const char *print(prof_value value, int64_t units)
{
	static char buffer[PROF_VALUE_TEXT];

	ck_assert_ptr_eq(prof_value_print(value, units, buffer), buffer);
	return buffer;
}

START_TEST(reads_what_it_prints)
{
	static const char *const texts[] = {"0", "1", "0.000001", "0.1", "12.5", "9007199254740993",
		"999999999999999999.999999", "100", "7.000001"};

	for (size_t i = 0; i < PROF_COUNT(texts); i++)
		ck_assert_str_eq(print(parse(texts[i]), 1), texts[i]);
}
END_TEST

START_TEST(reads_other_spellings)
{
	ck_assert(parse("007") == 7 * ONE);
	ck_assert(parse("5.") == 5 * ONE);
	ck_assert(parse(".5") == ONE / 2);
	ck_assert(parse("1.50000000000000000000000000000000000000000000") == 3 * ONE / 2);
}
END_TEST

START_TEST(more_than_six_places_are_rounded)
{
	ck_assert(parse("0.0000004") == 0);
	ck_assert(parse("0.0000005") == 1);
	ck_assert(parse("0.00000049999") == 0);
	ck_assert(parse("0.9999995") == ONE);
	ck_assert(parse("0.1234564") == 123456);
	ck_assert(parse("0.1234565999") == 123457);
}
END_TEST

START_TEST(refuses_what_is_no_such_number)
{
	static const char *const texts[] = {"", ".", "-1", "+1", " 1", "1 ", "1e3", "0x1", "1..2",
		"1.2.3", "nan", "inf", "1,5", "1000000000000000000", "0000000000000000000",
		"\xd9\xa1"};
	prof_value value = 42;

	for (size_t i = 0; i < PROF_COUNT(texts); i++)
		ck_assert_msg(
			!prof_value_parse(texts[i], strlen(texts[i]), &value), "%s", texts[i]);
	ck_assert(!prof_value_parse("1\0", 2, &value));
	ck_assert(value == 42);
}
END_TEST

START_TEST(reads_no_more_than_its_length)
{
	prof_value value;

	ck_assert(prof_value_parse("12.75", 2, &value));
	ck_assert(value == 12 * ONE);
	ck_assert(prof_value_parse("12.75", 4, &value));
	ck_assert(value == 127 * ONE / 10);
}
END_TEST

START_TEST(sums_are_exact_in_any_order)
{
	prof_value up = 0, down = 0;

	for (int i = 0; i < 1000; i++)
		up += parse("0.1") + prof_value_of(INT64_C(1) << 53);
	for (int i = 0; i < 1000; i++)
		down += prof_value_of(INT64_C(1) << 53);
	for (int i = 0; i < 1000; i++)
		down += parse("0.1");
	ck_assert(up == down);
	ck_assert_str_eq(print(up, 1), "9007199254740992100");
}
END_TEST

START_TEST(prints_units_exactly)
{
	ck_assert_str_eq(print(prof_value_of(1500000000), 1000000000), "1.5");
	ck_assert_str_eq(print(prof_value_of(1), 1000000000), "0.000000001");
	ck_assert_str_eq(print(1, 1000000000), "0.000000000000001");
	ck_assert_str_eq(print(-1, 1), "-0.000001");
	ck_assert_str_eq(print(prof_value_of(-25) / 10, 1), "-2.5");
}
END_TEST

START_TEST(largest_values_fit_the_buffer)
{
	prof_value most = (prof_value)(~(product)0 >> 1);

	ck_assert_str_eq(print(most, 1), "170141183460469231731687303715884.105727");
	ck_assert_str_eq(print(-most, 1), "-170141183460469231731687303715884.105727");
	ck_assert_str_eq(print(-most, 1000000000), "-170141183460469231731687.303715884105727");
}
END_TEST

START_TEST(double_is_the_nearest)
{
	/* Of these the text is the nearest double's. */
	static const char *const texts[] = {
		"0.1", "0.3", "1.1", "123456.789012", "9007199254740992", "4503599627370495.5"};

	for (size_t i = 0; i < PROF_COUNT(texts); i++)
		ck_assert_double_eq(prof_value_double(parse(texts[i])), strtod(texts[i], NULL));
	ck_assert_double_eq(prof_value_double(-ONE / 4), -0.25);
}
END_TEST

START_TEST(percent_of_nothing_is_nothing)
{
	ck_assert_double_eq(prof_value_percent(5, 0), 0);
	ck_assert_double_eq(prof_value_percent(0, 5), 0);
	ck_assert_double_eq(prof_value_percent(ONE, 4 * ONE), 25);
	ck_assert_double_eq(prof_value_percent(7 * ONE, 7 * ONE), 100);
	ck_assert_double_eq(prof_value_percent(3 * ONE, ONE), 300);
}
END_TEST

START_TEST(scale_rounds_to_the_nearest)
{
	ck_assert(prof_value_scale(10, 1, 3) == 3);
	ck_assert(prof_value_scale(11, 1, 3) == 4);
	ck_assert(prof_value_scale(5, 1, 2) == 3);
	ck_assert(prof_value_scale(-5, 1, 2) == -3);
	ck_assert(prof_value_scale(-10, 1, 3) == -3);
	ck_assert(prof_value_scale(7, 10, 3) == 23);
	ck_assert(prof_value_scale(7, 0, 3) == 0);
}
END_TEST

/* Beyond 128 bits too: PART of a year of ns, a share that has no short decimal. */
START_TEST(scale_is_exact_however_large_the_product)
{
	prof_value year = prof_value_of(INT64_C(31557600000000000));

	ck_assert(prof_value_scale(year, year, year) == year);
	ck_assert(prof_value_scale(year, year / 2, year) == year / 2);
	ck_assert(prof_value_scale(-year, year / 2, year) == -year / 2);
	ck_assert(prof_value_scale(year, -year / 2, year) == -year / 2);
	/* year * (year - 1) / year, and rounded: (year - 1) * (year - 1) / year = year - 2 + 1/year
	 */
	ck_assert(prof_value_scale(year, year - 1, year) == year - 1);
	ck_assert(prof_value_scale(year - 1, year - 1, year) == year - 2);
	/* 3/7 and 4/7 of it make it whole again, but for rounding by half a millionth each. */
	prof_value seven = year * 7;
	prof_value parts =
		prof_value_scale(year, year * 3, seven) + prof_value_scale(year, year * 4, seven);
	ck_assert(parts - year >= -1 && parts - year <= 1);
}
END_TEST

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static product wide(uint64_t *state)
{
	product high = next(state);

	return high << 64 | next(state);
}

/* The result R is right if 2 |P N - R D| <= D, told modulo 2^128, which the difference fits. */
START_TEST(scale_is_the_nearest_for_random_numbers)
{
	uint64_t state = 1;

	for (int i = 0; i < 20000; i++) {
		int bits = 1 + (int)(next(&state) % 90);
		prof_value below = ((prof_value)1 << bits) - 1;
		prof_value part = (prof_value)wide(&state) & below;
		prof_value denominator = ((prof_value)wide(&state) & below) + 1;
		prof_value numerator = (prof_value)(wide(&state) % ((product)denominator + 1));
		prof_value result = prof_value_scale(part, numerator, denominator);
		prof_value off = (prof_value)((product)part * (product)numerator -
			(product)result * (product)denominator);
		if (off < 0)
			off = -off;
		ck_assert(off <= denominator - off);
	}
}
END_TEST

RUN_TESTS("base_value", reads_what_it_prints, reads_other_spellings,
	more_than_six_places_are_rounded, refuses_what_is_no_such_number,
	reads_no_more_than_its_length, sums_are_exact_in_any_order, prints_units_exactly,
	largest_values_fit_the_buffer, double_is_the_nearest, percent_of_nothing_is_nothing,
	scale_rounds_to_the_nearest, scale_is_exact_however_large_the_product,
	scale_is_the_nearest_for_random_numbers)
