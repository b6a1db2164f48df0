/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of address ranges. */
#include "suite.h"

#include "base/compiler.h"
#include "base/ranges.h"

struct named {
	uint64_t low, high;
	const char *name;
};

static const struct named table[] = {
	{10, 20, "a"}, {20, 30, "b"}, {40, 41, "c"}, {UINT64_MAX - 1, UINT64_MAX, "d"}};

static const char *name_at(uint64_t address)
{
	const struct named *found =
		prof_ranges_find(table, PROF_COUNT(table), sizeof *table, address);

	return found ? found->name : "-";
}

START_TEST(finds_the_range_around_every_address)
{
	static const char expected[] = "----------aaaaaaaaaabbbbbbbbbb----------c---";

	for (uint64_t address = 0; expected[address]; address++)
		ck_assert_int_eq(*name_at(address), expected[address]);
	ck_assert_str_eq(name_at(UINT64_MAX - 1), "d");
	ck_assert_str_eq(name_at(UINT64_MAX), "-");
}
END_TEST

START_TEST(counts_what_begins_below)
{
	ck_assert_uint_eq(prof_ranges_below(table, PROF_COUNT(table), sizeof *table, 9), 0);
	ck_assert_uint_eq(prof_ranges_below(table, PROF_COUNT(table), sizeof *table, 10), 1);
	ck_assert_uint_eq(prof_ranges_below(table, PROF_COUNT(table), sizeof *table, 39), 2);
	ck_assert_uint_eq(prof_ranges_below(table, PROF_COUNT(table), sizeof *table, 40), 3);
	ck_assert_uint_eq(
		prof_ranges_below(table, PROF_COUNT(table), sizeof *table, UINT64_MAX), 4);
}
END_TEST

START_TEST(empty_table_has_nothing)
{
	ck_assert_uint_eq(prof_ranges_below(NULL, 0, sizeof *table, 5), 0);
	ck_assert_ptr_null(prof_ranges_find(NULL, 0, sizeof *table, 5));
}
END_TEST

RUN_TESTS("base_ranges", finds_the_range_around_every_address, counts_what_begins_below,
	empty_table_has_nothing)
