/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/division.h"

#include "suite.h"

/* Each test has them to itself. */
static struct prof_division division;
static struct prof_account account;

static int64_t grain(void)
{
	return prof_account_grain();
}

START_TEST(follows_where_it_was_met_within_a_clock_tick)
{
	struct prof_cpu cpu = prof_division_add(&division, &account, grain() / 2, true);
	ck_assert_int_eq(cpu.system, grain() / 2);
	ck_assert_int_eq(cpu.user, 0);
	account.system = grain();
	cpu = prof_division_add(&division, &account, grain() / 2, false);
	ck_assert_int_eq(cpu.system, 0);
	ck_assert_int_eq(cpu.user, grain() / 2);
}
END_TEST

/* Page faults: met in user code always, accounted as system time. */
START_TEST(what_is_over_when_a_thread_is_met_is_system_time_all_the_same)
{
	int64_t user = 0, system = 0;

	for (int i = 1; i <= 100; i++) {
		account.system = i * grain() * 9 / 10;
		account.user = i * grain() / 10;
		struct prof_cpu cpu = prof_division_add(&division, &account, grain(), false);
		user += cpu.user;
		system += cpu.system;
	}
	ck_assert_int_eq(user + system, 100 * grain());
	ck_assert_int_ge(system, 89 * grain());
	ck_assert_int_le(system, 91 * grain());
}
END_TEST

/* Met in calls always, which are hardly ever where its time goes. */
START_TEST(calls_have_no_more_than_the_account)
{
	int64_t system = 0;

	for (int i = 1; i <= 100; i++) {
		account.user = i * grain();
		system += prof_division_add(&division, &account, grain(), true).system;
	}
	ck_assert_int_le(system, grain());
}
END_TEST

START_TEST(an_older_account_contradicts_nothing)
{
	struct prof_cpu cpu = prof_division_add(&division, &account, 100 * grain(), true);

	ck_assert_int_ge(cpu.system, 98 * grain());
	/* What it has by then sets that right, as far as there is more to be divided. */
	account.user = 101 * grain();
	cpu = prof_division_add(&division, &account, grain(), true);
	ck_assert_int_eq(cpu.system, 0);
}
END_TEST

START_TEST(what_is_left_out_is_left_out)
{
	account.system = 50 * grain();
	prof_division_skip(&division, &account);
	for (int i = 1; i <= 10; i++) {
		account.user = i * grain();
		ck_assert_int_eq(prof_division_add(&division, &account, grain(), false).system, 0);
	}
	account.system = 70 * grain();
	prof_division_skip(&division, &account);
	account.user += grain();
	ck_assert_int_eq(prof_division_add(&division, &account, grain(), false).system, 0);
}
END_TEST

RUN_TESTS("division", follows_where_it_was_met_within_a_clock_tick,
	what_is_over_when_a_thread_is_met_is_system_time_all_the_same,
	calls_have_no_more_than_the_account, an_older_account_contradicts_nothing,
	what_is_left_out_is_left_out)
