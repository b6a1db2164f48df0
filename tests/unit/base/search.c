/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary search. */
#include "suite.h"

#include "base/search.h"

/* How many of the first COUNT of 2, 4, 4, 4, 7, 9 are smaller than WANTED. */
static size_t count_smaller(size_t count, int wanted)
{
	static const int sorted[] = {2, 4, 4, 4, 7, 9};
	size_t smaller;

	PROF_SEARCH(smaller, count, i, sorted[i] < wanted);
	return smaller;
}

START_TEST(finds_the_first_that_is_not_before)
{
	static const size_t expected[] = {0, 0, 0, 1, 1, 4, 4, 4, 5, 5, 6, 6};

	for (int wanted = 0; wanted < 12; wanted++) {
		for (size_t count = 0; count <= 6; count++)
			ck_assert_uint_eq(count_smaller(count, wanted),
				expected[wanted] < count ? expected[wanted] : count);
	}
}
END_TEST

RUN_TESTS("search", finds_the_first_that_is_not_before)
