/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/map.h"

#include "suite.h"

#include <stdlib.h>
#include <string.h>

START_TEST(empty_map_finds_nothing)
{
	struct prof_map map = {0};

	ck_assert_uint_eq(prof_map_get(&map, 0), PROF_NONE);
	ck_assert_uint_eq(prof_map_find(&map, 0, NULL, NULL), PROF_NONE);
	prof_map_deinit(&map);
}
END_TEST

/* Neighbours, multiples of the capacity, and pairs: what tables have as keys. */
static uint64_t key(uint32_t i)
{
	switch (i % 4) {
	case 0:
		return i;
	case 1:
		return (uint64_t)i << 32;
	case 2:
		return UINT64_MAX - i;
	default:
		return prof_map_pair(i, i + 1);
	}
}

START_TEST(finds_every_key_after_growing)
{
	enum { KEYS = 100000 };
	struct prof_map map = {0};

	for (uint32_t i = 0; i < KEYS; i++) {
		ck_assert(prof_map_add(&map, key(i), i));
		if (i % 97 == 0)
			ck_assert_uint_eq(prof_map_get(&map, key(i / 2)), i / 2);
	}
	ck_assert_uint_eq(map.count, KEYS);
	for (uint32_t i = 0; i < KEYS; i++) {
		if (prof_map_get(&map, key(i)) != i)
			ck_abort_msg("key %u", i);
	}
	for (uint32_t i = KEYS; i < 2 * KEYS; i++) {
		if (prof_map_get(&map, key(i)) != PROF_NONE)
			ck_abort_msg("key %u was never added", i);
	}
	prof_map_deinit(&map);
	ck_assert_ptr_null(map.slots);
	ck_assert_uint_eq(map.count, 0);
	ck_assert_uint_eq(prof_map_get(&map, key(1)), PROF_NONE);
}
END_TEST

START_TEST(is_never_full)
{
	struct prof_map map = {0};

	for (uint32_t i = 0; i < 5000; i++) {
		ck_assert(prof_map_add(&map, i, i));
		ck_assert_uint_le(map.count * 3, map.capacity * 2);
		ck_assert_uint_eq(map.capacity & (map.capacity - 1), 0);
	}
	prof_map_deinit(&map);
}
END_TEST

static bool is(const void *wanted, uint32_t value)
{
	return *(const uint32_t *)wanted == value;
}

START_TEST(keeps_values_whose_keys_collide_apart)
{
	struct prof_map map = {0};

	for (uint32_t i = 0; i < 300; i++)
		ck_assert(prof_map_add(&map, 7 + i % 2, i));
	for (uint32_t i = 0; i < 300; i++) {
		ck_assert_uint_eq(prof_map_find(&map, 7 + i % 2, is, &i), i);
		ck_assert_uint_eq(prof_map_find(&map, 8 - i % 2, is, &i), PROF_NONE);
	}
	uint32_t other = 300;
	ck_assert_uint_eq(prof_map_find(&map, 7, is, &other), PROF_NONE);
	ck_assert_uint_eq(prof_map_find(&map, 9, is, &other), PROF_NONE);
	prof_map_deinit(&map);
}
END_TEST

/* Keys of few different hashes, added and removed at random, beside a plain list of what is there.
 */
START_TEST(what_was_removed_is_gone_and_all_else_is_found)
{
	enum { KEYS = 50 };
	struct prof_map map = {0};
	bool there[KEYS] = {false};
	unsigned seed = 3;
	size_t count = 0;

	for (int i = 0; i < 20000; i++) {
		uint32_t key = (uint32_t)rand_r(&seed) % KEYS;
		if (there[key])
			prof_map_remove(&map, key, key + 1);
		else
			ck_assert(prof_map_add(&map, key, key + 1));
		there[key] = !there[key];
		count += there[key] ? 1 : (size_t)-1;
		ck_assert_uint_eq(map.count, count);
		for (uint32_t j = 0; j < KEYS; j++)
			ck_assert_uint_eq(prof_map_get(&map, j), there[j] ? j + 1 : PROF_NONE);
	}
	ck_assert_uint_le(map.capacity, 128);
	prof_map_deinit(&map);
}
END_TEST

START_TEST(removes_one_of_those_that_share_a_key)
{
	struct prof_map map = {0};

	for (uint32_t i = 0; i < 10; i++)
		ck_assert(prof_map_add(&map, 7, i));
	for (uint32_t i = 0; i < 10; i++) {
		ck_assert_uint_eq(prof_map_get(&map, 7), i);
		prof_map_remove(&map, 7, i);
	}
	ck_assert_uint_eq(prof_map_get(&map, 7), PROF_NONE);
	prof_map_deinit(&map);
}
END_TEST

START_TEST(pair_keeps_both_halves)
{
	ck_assert(prof_map_pair(1, 2) == UINT64_C(0x100000002));
	ck_assert(prof_map_pair(PROF_NONE, 0) == UINT64_C(0xffffffff00000000));
	ck_assert(prof_map_pair(0, PROF_NONE) == UINT64_C(0xffffffff));
}
END_TEST

START_TEST(hash_depends_on_every_byte_and_the_length)
{
	unsigned char bytes[40] = {0};

	for (size_t length = 0; length <= sizeof bytes; length++) {
		uint64_t hash = prof_map_hash(bytes, length);
		ck_assert(hash == prof_map_hash(bytes, length));
		if (length < sizeof bytes)
			ck_assert(hash != prof_map_hash(bytes, length + 1));
		for (size_t i = 0; i < length; i++) {
			bytes[i] = 1;
			ck_assert(hash != prof_map_hash(bytes, length));
			bytes[i] = 0;
		}
	}
	ck_assert(prof_map_hash(NULL, 0) == prof_map_hash("", 0));
}
END_TEST

START_TEST(hash_reads_from_any_address)
{
	char bytes[24];

	for (size_t at = 0; at < 8; at++) {
		memcpy(bytes + at, "0123456789abcdef", 16);
		ck_assert(prof_map_hash(bytes + at, 16) == prof_map_hash("0123456789abcdef", 16));
	}
}
END_TEST

/* Keys that count up, as stacks' hashes do not but ids do, must not pile up. */
START_TEST(walks_are_short)
{
	struct prof_map map = {0};
	size_t longest = 0, walk = 0;

	for (uint32_t i = 0; i < 20000; i++)
		ck_assert(prof_map_add(&map, prof_map_pair(i / 8, i % 8), i));
	for (size_t i = 0; i < map.capacity; i++) {
		walk = map.slots[i].value == PROF_NONE ? 0 : walk + 1;
		longest = walk > longest ? walk : longest;
	}
	ck_assert_uint_lt(longest, 100);
	prof_map_deinit(&map);
}
END_TEST

START_TEST(a_row_that_is_pushed_is_found_by_its_key)
{
	struct prof_map map = {0};
	PROF_ARRAY(int) rows = {0};

	for (int i = 0; i < 100; i++) {
		int *row = prof_map_push(&map, (uint64_t)i * 7, &rows);
		ck_assert_ptr_nonnull(row);
		*row = i;
	}
	ck_assert_uint_eq(rows.count, 100);
	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(rows.items[prof_map_get(&map, (uint64_t)i * 7)], i);
	rows.count = PROF_NONE;
	const int *none = prof_map_push(&map, 1, &rows);
	ck_assert_ptr_null(none);
	ck_assert_uint_eq(map.count, 100);
	free(rows.items);
	prof_map_deinit(&map);
}
END_TEST

RUN_TESTS("base_map", a_row_that_is_pushed_is_found_by_its_key, empty_map_finds_nothing,
	finds_every_key_after_growing, is_never_full, keeps_values_whose_keys_collide_apart,
	what_was_removed_is_gone_and_all_else_is_found, removes_one_of_those_that_share_a_key,
	pair_keeps_both_halves, hash_depends_on_every_byte_and_the_length,
	hash_reads_from_any_address, walks_are_short)
