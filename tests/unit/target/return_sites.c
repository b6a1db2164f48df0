/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/return_sites.h"

#include "suite.h"

START_TEST(the_last_ones_are_kept_the_last_first)
{
	struct prof_return_sites sites = {0};

	ck_assert_ptr_null(prof_return_sites_find(&sites, 100));
	for (uint64_t i = 1; i <= PROF_RETURN_SITES + 2; i++)
		prof_return_sites_add(&sites, 100, i);
	prof_return_sites_add(&sites, 200, 7);
	const struct prof_return_sites_of *of = prof_return_sites_find(&sites, 100);
	for (uint64_t i = 0; i < PROF_RETURN_SITES; i++)
		ck_assert_uint_eq(of->addresses[i], PROF_RETURN_SITES + 2 - i);
	of = prof_return_sites_find(&sites, 200);
	ck_assert_uint_eq(of->addresses[0], 7);
	ck_assert_uint_eq(of->addresses[1], 0);
	prof_return_sites_deinit(&sites);
}
END_TEST

START_TEST(one_that_comes_again_goes_to_the_front)
{
	struct prof_return_sites sites = {0};
	static const uint64_t order[] = {2, 3, 1, 0};

	for (uint64_t i = 1; i <= 3; i++)
		prof_return_sites_add(&sites, 100, i);
	prof_return_sites_add(&sites, 100, 2);
	prof_return_sites_add(&sites, 100, 2);
	const struct prof_return_sites_of *of = prof_return_sites_find(&sites, 100);
	for (size_t i = 0; i < PROF_COUNT(order); i++)
		ck_assert_uint_eq(of->addresses[i], order[i]);
	prof_return_sites_deinit(&sites);
}
END_TEST

START_TEST(with_too_many_functions_all_are_forgotten)
{
	struct prof_return_sites sites = {0};

	for (uint64_t i = 1; i <= 70000; i++)
		prof_return_sites_add(&sites, i, i);
	ck_assert_uint_lt(sites.items.count, 70000);
	ck_assert_uint_eq(prof_return_sites_find(&sites, 70000)->addresses[0], 70000);
	ck_assert_ptr_null(prof_return_sites_find(&sites, 1));
	prof_return_sites_deinit(&sites);
}
END_TEST

RUN_TESTS("return sites", the_last_ones_are_kept_the_last_first,
	one_that_comes_again_goes_to_the_front, with_too_many_functions_all_are_forgotten)
