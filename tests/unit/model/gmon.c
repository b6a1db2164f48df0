/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/gmon.h"

#include "gmon_support.h"
#include "experiment_support.h"

static const struct call calls[] = {{'m', 'a', 2}, {'a', 'b', 3}, {0, 0, 0}};
static const unsigned samples[] = {1, 2, 3};

START_TEST(bins_of_one_part_are_added_up)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_gmon("mab", samples, calls);
	struct prof_gmon *gmon = &experiment->gmon;

	ck_assert_ok(prof_gmon_sample(gmon, 0, 0, 0));
	ck_assert_uint_eq(gmon->bins.count, 3);
	ck_assert_ok(prof_gmon_sample(gmon, 0, 0, UINT32_MAX - 1));
	ck_assert(prof_gmon_add_up(gmon));
	ck_assert_uint_eq(gmon->bins.count, 3);
	ck_assert_uint_eq(ticks_in(gmon, 0, 0), UINT32_MAX);
	ck_assert_ok(prof_gmon_sample(gmon, 0, 0, 1));
	ck_assert(!prof_gmon_add_up(gmon));
}
END_TEST

START_TEST(there_is_a_limit_on_histograms)
{
	struct prof_gmon gmon = {.word = 8};
	const char *wrong = NULL;
	uint32_t number;

	for (uint64_t i = 0; i <= PROF_GMON_HISTOGRAMS; i++) {
		ck_assert_ptr_null(wrong);
		ck_assert_ok(prof_gmon_histogram(&gmon, 16 * i, 16 * i + 16, 4, &number, &wrong));
	}
	ck_assert_ptr_nonnull(strstr(wrong, "4096"));
	ck_assert_ok(prof_gmon_histogram(&gmon, 16, 32, 4, &number, &wrong));
	ck_assert_ptr_null(wrong);
	ck_assert_uint_eq(number, 1);
	prof_gmon_deinit(&gmon);
}
END_TEST

START_TEST(rates_units_and_dimensions_are_checked)
{
	ck_assert(prof_gmon_is_measure(100, "seconds", "s"));
	ck_assert(prof_gmon_is_measure(1, "fifteen letters", "~"));
	ck_assert(!prof_gmon_is_measure(0, "seconds", "s"));
	ck_assert(!prof_gmon_is_measure(1, "", "s"));
	ck_assert(!prof_gmon_is_measure(1, "sixteen letters!", "s"));
	ck_assert(!prof_gmon_is_measure(1, "sec\nonds", "s"));
	ck_assert(!prof_gmon_is_measure(1, "seconds", ""));
	ck_assert(!prof_gmon_is_measure(1, "seconds", "ms"));
	ck_assert(!prof_gmon_is_measure(1, "seconds", "\xff"));
}
END_TEST

RUN_TESTS("gmon", bins_of_one_part_are_added_up, there_is_a_limit_on_histograms,
	rates_units_and_dimensions_are_checked)
