/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls by function and caller, compared with a plain table. */
#include "patching/patch_callers.h"

#include "suite.h"

START_TEST(calls_of_a_pair_are_added)
{
	struct prof_patch_callers callers = {0};

	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 1, 0x1000), 0);
	ck_assert(prof_patch_callers_add(&callers, 1, 0x1000, 5));
	ck_assert(prof_patch_callers_add(&callers, 1, 0, 2));
	ck_assert(prof_patch_callers_add(&callers, 2, 0x1000, 1));
	ck_assert(prof_patch_callers_add(&callers, 1, 0x1000, UINT64_C(1) << 40));
	ck_assert_uint_eq(callers.items.count, 3);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 1, 0x1000), 5 + (UINT64_C(1) << 40));
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 1, 0), 2);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 2, 0x1000), 1);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 2, 0), 0);
	prof_patch_callers_deinit(&callers);
	ck_assert_uint_eq(callers.items.count, 0);
}
END_TEST

START_TEST(pairs_whose_hashes_are_the_same_are_told_apart)
{
	struct prof_patch_callers callers = {0};

	/* Bit 44 of an address is bit 0 of a number. */
	ck_assert(prof_patch_callers_add(&callers, 2, UINT64_C(1) << 44, 1));
	ck_assert(prof_patch_callers_add(&callers, 3, 0, 10));
	ck_assert_uint_eq(callers.items.count, 2);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 2, UINT64_C(1) << 44), 1);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 3, 0), 10);
	prof_patch_callers_deinit(&callers);
}
END_TEST

START_TEST(many_pairs_are_added)
{
	enum { MANY = 100000, FUNCTIONS = 64, SITES = 512 };
	static uint64_t wanted[FUNCTIONS][SITES];
	struct prof_patch_callers callers = {0};
	uint32_t random = 1;

	for (unsigned i = 0; i < MANY; i++) {
		random = random * 1664525 + 1013904223;
		uint32_t function = random >> 8 & (FUNCTIONS - 1);
		uint32_t site = random >> 16 & (SITES - 1);
		wanted[function][site] += i;
		ck_assert(prof_patch_callers_add(
			&callers, function, UINT64_C(0x7f0000000000) + site * 12, i));
	}
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		for (uint32_t j = 0; j < SITES; j++)
			ck_assert_uint_eq(prof_patch_callers_calls(
						  &callers, i, UINT64_C(0x7f0000000000) + j * 12),
				wanted[i][j]);
	}
	ck_assert_uint_le(callers.items.count, FUNCTIONS * SITES);
	prof_patch_callers_deinit(&callers);
}
END_TEST

RUN_TESTS("patch_callers", calls_of_a_pair_are_added,
	pairs_whose_hashes_are_the_same_are_told_apart, many_pairs_are_added)
