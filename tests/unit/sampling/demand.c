/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/demand.h"

#include "suite.h"

enum { MS = 1000000 };

START_TEST(who_has_a_cpu_loses_all_of_a_stop)
{
	struct prof_demand demand = {0};

	ck_assert_int_eq(prof_demand_lost(&demand, 50), 50);
	prof_demand_count(&demand, 10 * MS, 0);
	ck_assert_int_eq(prof_demand_lost(&demand, 50), 50);
}
END_TEST

START_TEST(who_waits_for_one_loses_its_share)
{
	struct prof_demand demand = {0};

	prof_demand_count(&demand, 10 * MS, 30 * MS);
	ck_assert_int_eq(prof_demand_lost(&demand, 1000), 250);
	prof_demand_count(&demand, 0, 1000 * MS);
	ck_assert_int_lt(prof_demand_lost(&demand, 1000), 20);
}
END_TEST

START_TEST(it_is_lately_that_counts)
{
	struct prof_demand demand = {0};

	for (int i = 0; i < 1000; i++)
		prof_demand_count(&demand, 0, 10 * MS);
	for (int i = 0; i < 100; i++)
		prof_demand_count(&demand, 10 * MS, 0);
	ck_assert_int_gt(prof_demand_lost(&demand, 1000), 850);
}
END_TEST

RUN_TESTS("demand", who_has_a_cpu_loses_all_of_a_stop, who_waits_for_one_loses_its_share,
	it_is_lately_that_counts)
