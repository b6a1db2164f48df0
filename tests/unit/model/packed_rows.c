/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/packed_rows.h"

#include "base/compat.h"
#include "suite.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 5000 };

static struct prof_packed_rows rows;
static int64_t expected[ROWS][PROF_PACKED_COLUMNS];

static void expect_all(size_t count)
{
	ck_assert_uint_eq(rows.count, count);
	for (size_t i = 0; i < count; i++) {
		for (unsigned j = 0; j < PROF_PACKED_COLUMNS; j++)
			ck_assert_int_eq(prof_packed_rows_get(&rows, i, j), expected[i][j]);
	}
}

static void add(size_t number, int64_t first, int64_t second, int64_t third)
{
	const int64_t values[] = {first, second, third};

	memcpy(expected[number], values, sizeof values);
	ck_assert(prof_packed_rows_add(&rows, values));
}

START_TEST(rows_are_what_they_were_after_packing)
{
	static const int64_t choice[] = {0, -1, 1, 255, 256, INT64_MAX, INT64_MIN, 65535, -65536};
	unsigned seed = 1;

	for (size_t i = 0; i < ROWS; i++) {
		add(i, choice[(unsigned)rand_r(&seed) % 9], (int64_t)i * i,
			i < 1000 ? 7 : choice[i % 5]);
		if (i % 997 == 0)
			expect_all(i + 1);
	}
	expect_all(ROWS);
	prof_packed_rows_deinit(&rows);
	ck_assert_uint_eq(rows.count, 0);
}
END_TEST

START_TEST(rows_that_change_are_known_by_their_change)
{
	for (size_t i = 0; i < ROWS; i++)
		add(i, (int64_t)i, 5, 0);
	ck_assert_uint_eq(prof_packed_rows_changed(&rows, 0), 0);
	/* One that is packed, and one that is not yet. */
	for (size_t number = 300; number < ROWS; number += ROWS - 301) {
		expected[number][1] = INT64_MAX;
		ck_assert(prof_packed_rows_set(&rows, number, 1, INT64_MAX, number));
		ck_assert_uint_eq(prof_packed_rows_changed(&rows, number), number);
		expect_all(ROWS);
		expected[number][1] = 5;
		ck_assert(prof_packed_rows_set(&rows, number, 1, 5, 0));
		ck_assert_uint_eq(prof_packed_rows_changed(&rows, number), number);
		expect_all(ROWS);
	}
	/* Those around the first may seem to have changed, no others. */
	ck_assert_uint_eq(prof_packed_rows_changed(&rows, 600), 0);
	prof_packed_rows_deinit(&rows);
}
END_TEST

START_TEST(rows_take_few_bytes)
{
	enum { MANY = 100000 };
	size_t before = mallinfo2().uordblks;

	for (int64_t i = 0; i < MANY; i++) {
		const int64_t values[] = {1000 + i * 3, 5, i / 5000};
		ck_assert(prof_packed_rows_add(&rows, values));
	}
	ck_assert_uint_lt(mallinfo2().uordblks - before, MANY * 3);
	ck_assert_uint_lt(prof_packed_rows_size(&rows), MANY * 3);
	prof_packed_rows_deinit(&rows);
}
END_TEST

RUN_TESTS("packed_rows", rows_are_what_they_were_after_packing,
	rows_that_change_are_known_by_their_change, rows_take_few_bytes)
