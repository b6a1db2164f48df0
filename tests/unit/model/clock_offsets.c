/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/clock_offsets.h"

#include "base/memory.h"
#include "suite.h"

enum { CLOCKS = 5 };

static struct prof_clock_offset offsets[CLOCKS];
static int64_t exceeded;

/* Finds the offsets by BOUNDS, and checks that they agree with all of these. */
#define FIND(...)                                                              \
	do {                                                                   \
		static const struct prof_clock_bound bounds[] = {__VA_ARGS__}; \
		find(bounds, PROF_COUNT(bounds));                              \
	} while (0)

static void find(const struct prof_clock_bound *bounds, size_t count)
{
	ck_assert_ok(prof_clock_offsets_find(bounds, count, CLOCKS, offsets, &exceeded));
	for (size_t i = 0; i < count; i++)
		ck_assert_int_le(offsets[bounds[i].to].offset - offsets[bounds[i].from].offset,
			bounds[i].most + exceeded);
	ck_assert_int_eq(offsets[0].offset, 0);
}

START_TEST(a_clock_is_put_in_the_middle_of_its_bounds)
{
	FIND({0, 1, 60}, {1, 0, -40});
	ck_assert(offsets[1].bounded);
	ck_assert_int_eq(offsets[1].offset, 50);
	ck_assert_int_eq(offsets[1].error, 10);
	ck_assert_int_eq(exceeded, 0);
	ck_assert(!offsets[2].bounded);
	ck_assert_int_eq(offsets[2].offset, 0);
}
END_TEST

START_TEST(others_bound_it_too)
{
	/* The third one is known by way of the second one alone; the fourth one by both. */
	FIND({0, 1, 60}, {1, 0, -40}, {1, 2, 105}, {2, 1, -95}, {0, 3, 1000}, {2, 3, 20},
		{3, 0, 10});
	ck_assert_int_eq(offsets[2].offset, 150);
	ck_assert_int_eq(offsets[2].error, 15);
	ck_assert(offsets[3].bounded);
	ck_assert_int_eq(offsets[3].error, (60 + 105 + 20 + 10) / 2 + 1);
}
END_TEST

START_TEST(bounds_of_odd_width_agree_to_the_nanosecond)
{
	FIND({0, 1, 3}, {1, 0, 0}, {1, 2, 0}, {2, 1, 0}, {0, 2, 4}, {2, 0, 1});
	ck_assert_int_eq(offsets[1].offset, 1);
	ck_assert_int_eq(offsets[2].offset, 1);
}
END_TEST

START_TEST(a_bound_from_one_side_moves_a_clock_as_little_as_it_must)
{
	FIND({0, 1, -7}, {1, 2, -3}, {3, 0, -5}, {4, 1, 30});
	ck_assert(!offsets[1].bounded);
	ck_assert_int_eq(offsets[1].offset, -7);
	ck_assert_int_eq(offsets[2].offset, -10);
	ck_assert_int_eq(offsets[3].offset, 5);
	ck_assert_int_eq(offsets[4].offset, 0);
}
END_TEST

START_TEST(bounds_that_contradict_each_other_are_exceeded_alike)
{
	/* A clock is ahead by less than 10, and by more than 20. */
	FIND({0, 1, 10}, {1, 0, -20});
	ck_assert_int_ge(exceeded, 5);
	ck_assert_int_le(exceeded, 6);
	ck_assert_int_ge(offsets[1].offset, 14);
	ck_assert_int_le(offsets[1].offset, 16);
	/* Three together. */
	FIND({0, 1, -3000}, {1, 2, -3000}, {2, 0, -3000});
	ck_assert_int_ge(exceeded, 3000);
	ck_assert_int_le(exceeded, 3100);
}
END_TEST

RUN_TESTS("clock_offsets", a_clock_is_put_in_the_middle_of_its_bounds, others_bound_it_too,
	bounds_of_odd_width_agree_to_the_nanosecond,
	a_bound_from_one_side_moves_a_clock_as_little_as_it_must,
	bounds_that_contradict_each_other_are_exceeded_alike)
