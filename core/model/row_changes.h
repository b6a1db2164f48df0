/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The last change in each block of a table's rows.  A writer that saves the rows changed since its
 * last visit skips whole blocks, so a write costs no more as the table grows.  Changes are numbered
 * from 1 on, across tables.
 */
#ifndef PROF_MODEL_ROW_CHANGES_H
#define PROF_MODEL_ROW_CHANGES_H

#include "base/memory.h"

#include <stdint.h>

enum { PROF_ROW_CHANGES_BLOCK = 1024 };

/* All zeroes: an empty table.  The owner frees `blocks.items`. */
struct prof_row_changes {
	PROF_ARRAY(uint64_t) blocks; /* number of the last change in each; 0: none */
};

/* Makes room for the changes of a table of COUNT rows.  False: no memory. */
bool prof_row_changes_cover(struct prof_row_changes *changes, size_t count);

/* Notes that CHANGE, the latest of all, has changed the row NUMBER, which is covered. */
void prof_row_changes_note(struct prof_row_changes *changes, size_t number, uint64_t change);

/*
 * The first row from NUMBER on whose block has a change after SINCE.  If there is none, a number
 * above that of every covered row.
 */
size_t prof_row_changes_next(const struct prof_row_changes *changes, size_t number, uint64_t since);

#endif
