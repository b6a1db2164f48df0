/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/row_changes.h"

#include "suite.h"

#include <stdlib.h>

enum { ROWS = 100000 };

static struct prof_row_changes changes;

static void teardown(void)
{
	free(changes.blocks.items);
	changes = (struct prof_row_changes){0};
}

START_TEST(every_row_that_has_changed_is_found)
{
	static uint64_t changed[ROWS];
	unsigned seed = 4;
	uint64_t change = 0;

	ck_assert(prof_row_changes_cover(&changes, ROWS));
	for (int turn = 0; turn < 50; turn++) {
		uint64_t since = change;
		for (int i = 0; i < turn; i++) {
			size_t row = (size_t)rand_r(&seed) % ROWS;
			changed[row] = ++change;
			prof_row_changes_note(&changes, row, change);
		}
		size_t found = 0;
		for (size_t i = prof_row_changes_next(&changes, 0, since); i < ROWS;
			i = prof_row_changes_next(&changes, i + 1, since)) {
			while (found < i)
				ck_assert_uint_le(changed[found++], since);
			found++;
		}
		while (found < ROWS)
			ck_assert_uint_le(changed[found++], since);
	}
	teardown();
}
END_TEST

START_TEST(rows_of_other_blocks_are_not_looked_at)
{
	size_t steps = 0;

	ck_assert(prof_row_changes_cover(&changes, ROWS));
	ck_assert_uint_ge(prof_row_changes_next(&changes, 0, 0), ROWS);
	prof_row_changes_note(&changes, 0, 1);
	prof_row_changes_note(&changes, ROWS - 1, 2);
	for (size_t i = prof_row_changes_next(&changes, 0, 1); i < ROWS;
		i = prof_row_changes_next(&changes, i + 1, 1))
		steps++;
	ck_assert_uint_le(steps, PROF_ROW_CHANGES_BLOCK);
	ck_assert_uint_gt(steps, 0);
	/* None has changed since, and a table without rows has none. */
	ck_assert_uint_ge(prof_row_changes_next(&changes, 0, 2), ROWS);
	teardown();
	ck_assert_uint_eq(prof_row_changes_next(&changes, 0, 0), 0);
}
END_TEST

RUN_TESTS(
	"row changes", every_row_that_has_changed_is_found, rows_of_other_blocks_are_not_looked_at)
