/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of samples, packed. */
#include "model/sample_row.h"

#include "suite.h"

#include <string.h>

/* Packs the COUNT ROWS into BYTES.  Returns the size. */
static size_t pack(const struct prof_sample_row *rows, size_t count, unsigned char *bytes)
{
	struct prof_sample before = {0};
	size_t size = 0;

	for (size_t i = 0; i < count; i++) {
		size_t added = prof_sample_row_pack(&rows[i], &before, bytes + size);
		ck_assert_uint_le(added, PROF_SAMPLE_ROW_MOST);
		size += added;
		before = rows[i].sample;
	}
	return size;
}

static void assert_same_row(const struct prof_sample_row *a, const struct prof_sample_row *b)
{
	ck_assert_int_eq(a->sample.time, b->sample.time);
	ck_assert_uint_eq(a->sample.thread, b->sample.thread);
	ck_assert_uint_eq(a->sample.path, b->sample.path);
	ck_assert_uint_eq(a->sample.state, b->sample.state);
	ck_assert_uint_eq(a->sample.cpu, b->sample.cpu);
	ck_assert_uint_eq(a->has, b->has);
	for (int i = 0; i < PROF_QUANTITIES; i++)
		ck_assert(a->values[i] == b->values[i]);
}

/* Rows whose every field is at its ends. */
static void make_extremes(struct prof_sample_row rows[6])
{
	static const struct prof_sample samples[6] = {{0},
		{PROF_TIME_MOST, UINT32_MAX, UINT32_MAX, PROF_STATES - 1, UINT16_MAX},
		{-PROF_TIME_MOST, 1, 2, 3, 4}, {-PROF_TIME_MOST, 1, 2, 3, 4},
		{-PROF_TIME_MOST + 1, 1, 128, 0, 0}, {5, 7, 16383, 1, 0}};

	memset(rows, 0, 6 * sizeof *rows);
	for (int i = 0; i < 6; i++)
		rows[i].sample = samples[i];
	for (int i = 0; i < PROF_QUANTITIES; i++) {
		prof_sample_row_set(&rows[1], i, PROF_VALUE_MOST);
		prof_sample_row_set(&rows[3], i, 1 + i);
	}
	prof_sample_row_set(&rows[2], 4, INT64_MAX);
	prof_sample_row_set(&rows[4], 2, prof_value_of(1));
	prof_sample_row_set(&rows[5], 1, prof_value_of(63) + 999999);
}

START_TEST(comes_back_as_it_was)
{
	struct prof_sample_row rows[6], unpacked = {0};
	unsigned char bytes[6 * PROF_SAMPLE_ROW_MOST];

	make_extremes(rows);
	size_t size = pack(rows, 6, bytes);
	const unsigned char *at = bytes;
	for (int i = 0; i < 6; i++) {
		ck_assert(prof_sample_row_unpack(&at, bytes + size, &unpacked));
		assert_same_row(&unpacked, &rows[i]);
	}
	ck_assert_ptr_eq(at, bytes + size);
}
END_TEST

START_TEST(is_small)
{
	struct prof_sample_row rows[2] = {
		{.sample = {.time = 1000000000, .path = 5000, .thread = 3, .cpu = 2}},
		{.sample = {.time = 1010000000, .path = 5001, .thread = 3, .cpu = 2}}};
	unsigned char bytes[2 * PROF_SAMPLE_ROW_MOST];

	for (int i = 0; i < 2; i++) {
		prof_sample_row_set(&rows[i], PROF_QUANTITY_SAMPLES, prof_value_of(1));
		prof_sample_row_set(&rows[i], PROF_QUANTITY_SPENT, prof_value_of(10000000));
	}
	size_t first = pack(rows, 1, bytes);
	ck_assert_uint_eq(pack(rows, 2, bytes) - first, 1 + 4 + 2 + 1 + 1 + 4);
}
END_TEST

START_TEST(damaged_ones_are_refused_at_each_byte)
{
	struct prof_sample_row rows[6];
	unsigned char bytes[6 * PROF_SAMPLE_ROW_MOST];

	make_extremes(rows);
	for (int i = 0; i < 6; i++) {
		size_t size = pack(&rows[i], 1, bytes);
		for (size_t cut = 0; cut < size; cut++) {
			struct prof_sample_row unpacked = {0};
			const unsigned char *at = bytes;
			ck_assert(!prof_sample_row_unpack(&at, bytes + cut, &unpacked));
			ck_assert_ptr_eq(at, bytes + cut);
		}
	}
}
END_TEST

START_TEST(what_is_out_of_range_is_refused)
{
	static const unsigned char forged[][13] = {
		{0x40, 0, 0},                            /* a bit of the head that has no meaning */
		{0x3f, 0, 0},                            /* a state that there is not */
		{0x38, 0, 1, 0},                         /* a value of 0 */
		{0x38, 0, 1, 1, 0xc0, 0x84, 0x3d},       /* a million of millionths */
		{0x38, 0, 0x80, 0x80, 0x80, 0x80, 0x01}, /* a quantity that there is not */
		{0x30, 0, 0x80, 0x80, 0x80, 0x80, 0x10, 0}, /* a thread of 33 bits */
		{0x18, 0, 0x80, 0x80, 0x04, 0},             /* a CPU of 17 */
		/* A number of 65 bits, and a time that is too far away. */
		{0x38, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0},
		{0x38, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0},
	};

	for (size_t i = 0; i < PROF_COUNT(forged); i++) {
		struct prof_sample_row row = {0};
		const unsigned char *at = forged[i];
		ck_assert_msg(!prof_sample_row_unpack(&at, forged[i] + sizeof forged[i], &row),
			"%zu is taken", i);
	}
}
END_TEST

START_TEST(any_bytes_are_harmless)
{
	uint64_t state = 1;
	unsigned char bytes[64];
	bool sound = true;

	for (int round = 0; round < 100000; round++) {
		struct prof_sample_row row = {0};
		const unsigned char *at = bytes;
		for (size_t i = 0; i < sizeof bytes; i++) {
			state = state * UINT64_C(6364136223846793005) + 1;
			bytes[i] = (unsigned char)(state >> (i % 2 ? 33 : 61));
		}
		for (int i = 0; i < 4 && prof_sample_row_unpack(&at, bytes + sizeof bytes, &row);
			i++) {
			for (int j = 0; j < PROF_QUANTITIES; j++)
				sound &= !row.values[j] == !(row.has & PROF_QUANTITY_BIT(j));
		}
		sound &= at <= bytes + sizeof bytes;
	}
	/* An assertion each would take long. */
	ck_assert(sound);
}
END_TEST

RUN_TESTS("row", comes_back_as_it_was, is_small, damaged_ones_are_refused_at_each_byte,
	what_is_out_of_range_is_refused, any_bytes_are_harmless)
