/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the whole program used. */
#include "view_marks.h"

START_TEST(overview_has_the_total_first)
{
	start();
	char *text = show("overview", experiment,
		&(struct prof_choice){.own = choose("overview", "limit=1")});
	ck_assert_ptr_nonnull(strstr(text, "Total of 2 intervals, 0.000 to 0.040 sec.: start .. "));
	ck_assert_ptr_nonnull(strstr(text, "\n\nInterval 1, 0.000 to 0.010 sec.: start .. "));
	ck_assert_ptr_nonnull(strstr(text, "  User CPU                        0.004  sec.\n"));
	ck_assert_ptr_nonnull(strstr(text, "  System CPU                    unknown\n"));
	ck_assert_ptr_nonnull(strstr(text, "    Wait for a page of data       0.000  sec.\n"));
	ck_assert_ptr_null(strstr(text, "Interval 2"));
	free(text);
	struct prof_choice one = {.filter.values[PROF_CONDITION_INTERVAL] = "1"};
	text = show("overview", experiment, &one);
	ck_assert_ptr_nonnull(strstr(text, "Total of 1 interval, 0.000 to 0.010 sec.: start .. "));
	ck_assert_ptr_null(strstr(text, "The filter is for"));
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(what_no_filter_can_divide_is_said)
{
	start();
	struct prof_choice choice = {.filter.values[PROF_CONDITION_STATE] = "lock"};
	char *text = show("overview", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(text, "The filter selects thread time and the waits in it; "));
	ck_assert_ptr_nonnull(strstr(text, "  User CPU                        0.020  sec.\n"));
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("overview", overview_has_the_total_first, what_no_filter_can_divide_is_said)
