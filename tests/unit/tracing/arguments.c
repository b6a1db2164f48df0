/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/arguments.h"

#include "model/traced.h"
#include "suite.h"

#include <math.h>

static prof_value of_double(char letter, double number)
{
	uint64_t word;

	memcpy(&word, &number, sizeof word);
	return prof_argument_value(letter, word);
}

START_TEST(integers_have_their_sign)
{
	ck_assert(prof_argument_value('i', (uint64_t)-5) == prof_value_of(-5));
	ck_assert(prof_argument_value('b', (uint64_t)-128) == prof_value_of(-128));
	ck_assert(prof_argument_value('I', UINT32_MAX) == prof_value_of(UINT32_MAX));
	ck_assert(prof_argument_value('L', 7) == prof_value_of(7));
}
END_TEST

START_TEST(floating_point_is_rounded_to_millionths)
{
	ck_assert(of_double('d', 2.5) == prof_value_of(5) / 2);
	ck_assert(of_double('f', -0.25) == prof_value_of(-1) / 4);
	ck_assert(of_double('D', 0.0000015) == 2);
	ck_assert(of_double('d', -0.0000015) == -2);
}
END_TEST

START_TEST(what_is_too_large_is_the_most)
{
	ck_assert(prof_argument_value('p', UINT64_MAX) == PROF_ARGUMENT_MOST);
	ck_assert(prof_argument_value('l', (uint64_t)INT64_MIN) == -PROF_ARGUMENT_MOST);
	ck_assert(of_double('d', 1e300) == PROF_ARGUMENT_MOST);
	ck_assert(of_double('d', -INFINITY) == -PROF_ARGUMENT_MOST);
	ck_assert(of_double('d', (double)NAN) == 0);
}
END_TEST

START_TEST(sums_stay_in_their_bounds)
{
	struct prof_argument_sum sum;

	prof_argument_add(&sum, prof_value_of(-4), true);
	ck_assert(sum.sum == prof_value_of(-4));
	ck_assert(sum.least == sum.sum && sum.most == sum.sum);
	prof_argument_add(&sum, PROF_ARGUMENT_MOST, false);
	ck_assert(sum.most == PROF_ARGUMENT_MOST && sum.least == prof_value_of(-4));
	prof_argument_add(&sum, PROF_ARGUMENT_MOST, false);
	ck_assert(sum.sum == PROF_ARGUMENT_MOST);
}
END_TEST

RUN_TESTS("arguments", integers_have_their_sign, floating_point_is_rounded_to_millionths,
	what_is_too_large_is_the_most, sums_stay_in_their_bounds)
