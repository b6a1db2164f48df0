/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/traced_rows.h"

#include "base/compat.h"
#include "base/map.h"
#include "scratch.h"
#include "suite.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ROWS = 1000 };

static struct prof_traced_rows rows;
static struct prof_traced_row expected[ROWS];

/* Rows as there may be, the largest and the emptiest too. */
static void fill(unsigned seed)
{
	static const int64_t choice[] = {0, 0, 1, 4096, INT64_MAX};
	uint32_t sample = 0;

	for (size_t i = 0; i < ROWS; i++) {
		struct prof_traced_row *row = &expected[i];
		*row = (struct prof_traced_row){
			.sample = sample += 1 + (uint32_t)rand_r(&seed) % 1000,
			.object = rand_r(&seed) % 2 ? PROF_NONE : (uint32_t)rand_r(&seed),
			.holder = rand_r(&seed) % 2 ? PROF_NONE : 0,
			.longest = choice[rand_r(&seed) % 5],
			.last = (int64_t)rand_r(&seed) - RAND_MAX / 2,
		};
		for (int j = 0; j < PROF_TRACED_VALUES; j++)
			row->values[j] = choice[rand_r(&seed) % 5];
		if (rand_r(&seed) % 3 == 0) {
			row->first_argument = (uint32_t)i;
			row->arguments = 2;
		}
		if (rand_r(&seed) % 3 == 0)
			row->rank = (uint32_t)rand_r(&seed);
		if (rand_r(&seed) % 3 == 0)
			row->peer = UINT32_MAX;
		ck_assert(prof_traced_rows_add(&rows, row));
	}
}

static void expect_row(struct prof_traced_rows_place *place, size_t number)
{
	const struct prof_traced_row *row = prof_traced_rows_get(&rows, place, number);

	ck_assert_mem_eq(row->values, expected[number].values, sizeof row->values);
	ck_assert(row->sample == expected[number].sample &&
		row->object == expected[number].object && row->holder == expected[number].holder);
	ck_assert(row->longest == expected[number].longest && row->last == expected[number].last);
	ck_assert(row->first_argument == expected[number].first_argument &&
		row->arguments == expected[number].arguments);
	ck_assert(row->rank == expected[number].rank && row->peer == expected[number].peer);
}

/* Closes and reads rows at random. */
static void close_and_read(void)
{
	struct prof_traced_rows_place forward = {0}, random = {0};
	bool closed[ROWS] = {false};
	unsigned seed = 5;

	fill(3);
	for (size_t i = 0; i < 3 * (size_t)ROWS; i++) {
		size_t number = (size_t)rand_r(&seed) % ROWS;
		if (!closed[number]) {
			expected[number].longest = (int64_t)i;
			prof_traced_rows_change(&rows, number, i)->longest = (int64_t)i;
			ck_assert_uint_eq(prof_traced_rows_changed(&rows, number), i);
			prof_traced_rows_close(&rows, number);
		}
		closed[number] = true;
		expect_row(&forward, i % ROWS);
		expect_row(&random, (size_t)rand_r(&seed) % ROWS);
	}
	prof_traced_rows_close_all(&rows);
	for (size_t i = 0; i < ROWS; i++)
		expect_row(&forward, i);
}

START_TEST(rows_are_the_same_however_they_are_read_and_closed)
{
	close_and_read();
	prof_traced_rows_deinit(&rows);
}
END_TEST

START_TEST(rows_in_a_file_are_the_same_and_take_no_memory)
{
	enter_scratch();
	prof_traced_rows_file(&rows, ".");
	close_and_read();
	size_t blocks = rows.blocks.count;
	/* The last block is not full. */
	ck_assert_uint_eq(rows.bytes,
		blocks * sizeof *rows.blocks.items + sizeof(struct prof_traced_rows_open));
	for (size_t i = 0; i < blocks - 1; i++)
		ck_assert_uint_eq(rows.blocks.items[i].kind, PROF_TRACED_ROWS_FILED);
	prof_traced_rows_deinit(&rows);
}
END_TEST

START_TEST(rows_stay_in_memory_where_there_is_no_file)
{
	prof_traced_rows_file(&rows, "/no/such/folder");
	close_and_read();
	ck_assert_uint_eq(rows.blocks.items[0].kind, PROF_TRACED_ROWS_PACKED);
	prof_traced_rows_deinit(&rows);
}
END_TEST

START_TEST(rows_stay_in_memory_once_the_disk_is_full)
{
	const struct rlimit limit = {3000, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
	struct prof_traced_rows_place place = {0};
	size_t filed = 0, packed = 0;

	enter_scratch();
	prof_traced_rows_file(&rows, ".");
	fill(3);
	/* Meanwhile Check cannot write either. */
	int limited = setrlimit(RLIMIT_FSIZE, &limit);
	prof_traced_rows_close_all(&rows);
	ck_assert_int_eq(limited | setrlimit(RLIMIT_FSIZE, &none), 0);
	for (size_t i = 0; i < ROWS; i++)
		expect_row(&place, i);
	for (size_t i = 0; i < rows.blocks.count; i++) {
		filed += rows.blocks.items[i].kind == PROF_TRACED_ROWS_FILED;
		packed += rows.blocks.items[i].kind == PROF_TRACED_ROWS_PACKED;
	}
	ck_assert_uint_gt(filed, 0);
	ck_assert_uint_gt(packed, 0);
	prof_traced_rows_deinit(&rows);
}
END_TEST

START_TEST(rows_are_found_by_their_samples)
{
	fill(7);
	for (size_t i = 0; i < ROWS; i += 2)
		prof_traced_rows_close(&rows, i);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < ROWS; i++) {
			uint32_t sample = expected[i].sample;
			ck_assert_uint_eq(prof_traced_rows_find(&rows, sample), i);
			ck_assert_uint_eq(prof_traced_rows_find(&rows, sample + 1), i + 1);
		}
		prof_traced_rows_close_all(&rows);
	}
	prof_traced_rows_deinit(&rows);
	ck_assert_uint_eq(prof_traced_rows_find(&rows, 0), 0);
}
END_TEST

/* What a thread that allocated, locked and is gone leaves. */
START_TEST(closed_rows_take_less_than_32_bytes)
{
	enum { MANY = 320000 };
	size_t before = mallinfo2().uordblks;

	for (uint32_t i = 0; i < MANY; i++) {
		struct prof_traced_row row = {.sample = i,
			.object = PROF_NONE,
			.holder = PROF_NONE,
			.last = i * 3000000LL};
		row.values[PROF_TRACED_ALLOCATIONS] = 5;
		row.values[PROF_TRACED_BYTES] = 500;
		row.values[PROF_TRACED_TEMPORARY] = 5;
		ck_assert(prof_traced_rows_add(&rows, &row));
		prof_traced_rows_close(&rows, i);
	}
	ck_assert_uint_lt(rows.bytes, (size_t)MANY * 32);
	ck_assert_uint_lt(mallinfo2().uordblks - before, (size_t)MANY * 32);
	printf("# %zu bytes a row\n", rows.bytes / MANY);
	prof_traced_rows_deinit(&rows);
}
END_TEST

RUN_TESTS("traced_rows", rows_are_the_same_however_they_are_read_and_closed,
	rows_in_a_file_are_the_same_and_take_no_memory, rows_stay_in_memory_where_there_is_no_file,
	rows_stay_in_memory_once_the_disk_is_full, rows_are_found_by_their_samples,
	closed_rows_take_less_than_32_bytes)
