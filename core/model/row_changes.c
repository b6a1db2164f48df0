/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/row_changes.h"

#include <assert.h>

bool prof_row_changes_cover(struct prof_row_changes *changes, size_t count)
{
	while (changes->blocks.count * PROF_ROW_CHANGES_BLOCK < count) {
		uint64_t *added = prof_array_push(&changes->blocks);
		if (!added)
			return false;
		*added = 0;
	}
	return true;
}

void prof_row_changes_note(struct prof_row_changes *changes, size_t number, uint64_t change)
{
	assert(number / PROF_ROW_CHANGES_BLOCK < changes->blocks.count);
	changes->blocks.items[number / PROF_ROW_CHANGES_BLOCK] = change;
}

size_t prof_row_changes_next(const struct prof_row_changes *changes, size_t number, uint64_t since)
{
	size_t block = number / PROF_ROW_CHANGES_BLOCK;

	if (block < changes->blocks.count && changes->blocks.items[block] > since)
		return number;
	while (block < changes->blocks.count && changes->blocks.items[block] <= since)
		block++;
	return block * PROF_ROW_CHANGES_BLOCK;
}
