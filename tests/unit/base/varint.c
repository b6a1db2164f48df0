/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/varint.h"

#include "base/memory.h"
#include "suite.h"

static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, INT64_MAX, UINT64_MAX};

START_TEST(numbers_are_taken_as_they_were_put)
{
	unsigned char bytes[PROF_COUNT(numbers) * PROF_VARINT_MOST];
	unsigned char *end = bytes;

	for (size_t i = 0; i < PROF_COUNT(numbers); i++)
		end = prof_varint_put(end, numbers[i]);
	ck_assert_uint_eq(bytes[1], 1);
	struct prof_varint_input input = {bytes, end, false};
	for (size_t i = 0; i < PROF_COUNT(numbers); i++)
		ck_assert(prof_varint_take(&input, UINT64_MAX) == numbers[i]);
	ck_assert(!input.bad && input.at == end);
	prof_varint_take(&input, UINT64_MAX);
	ck_assert(input.bad);
}
END_TEST

START_TEST(what_is_too_much_is_bad)
{
	static const unsigned char more[] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
	static const unsigned char cut[] = {0x80};
	static const unsigned char eight[] = {8};
	struct prof_varint_input inputs[] = {
		{more, more + 10, false}, {cut, cut + 1, false}, {eight, eight + 1, false}};

	for (size_t i = 0; i < PROF_COUNT(inputs); i++) {
		prof_varint_take(&inputs[i], 7);
		ck_assert(inputs[i].bad);
	}
}
END_TEST

START_TEST(small_differences_are_small_numbers)
{
	ck_assert_uint_eq(prof_varint_fold(0), 0);
	ck_assert_uint_eq(prof_varint_fold(UINT64_MAX), 1);
	ck_assert_uint_eq(prof_varint_fold(1), 2);
	for (size_t i = 0; i < PROF_COUNT(numbers); i++)
		ck_assert(prof_varint_unfold(prof_varint_fold(numbers[i])) == numbers[i]);
}
END_TEST

RUN_TESTS("base_varint", numbers_are_taken_as_they_were_put, what_is_too_much_is_bad,
	small_differences_are_small_numbers)
