/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars of blocks. */
#include "report/bar.h"

#include "suite.h"

#define FULL "\xe2\x96\x88"

static void check(double share, const char *expected)
{
	char buffer[PROF_BAR_TEXT];

	ck_assert_str_eq(prof_bar_print(share, buffer), expected);
}

START_TEST(bars_are_as_long_as_shares)
{
	check(0, "          ");
	check(.5, FULL FULL FULL FULL FULL "     ");
	check(1, FULL FULL FULL FULL FULL FULL FULL FULL FULL FULL);
	check(.25, FULL FULL "\xe2\x96\x8c       ");
	check(.3125, FULL FULL FULL "\xe2\x96\x8f      ");
	check(.0875, "\xe2\x96\x89         ");
}
END_TEST

START_TEST(what_is_more_than_nothing_is_seen)
{
	check(1e-9, "\xe2\x96\x8f         ");
	check(-1, "          ");
	check(7, FULL FULL FULL FULL FULL FULL FULL FULL FULL FULL);
	check(0. / 0., "          ");
}
END_TEST

RUN_TESTS("bar", bars_are_as_long_as_shares, what_is_more_than_nothing_is_seen)
