/*
 * When rows of a growing table were last changed, by blocks of rows, so that who wants those that
 * have changed since need not look at all.  Changes are numbered from 1 on, across tables.
 */
#ifndef PROF_EXPERIMENT_ROW_CHANGES_H
#define PROF_EXPERIMENT_ROW_CHANGES_H

#include "base/memory.h"

#include <stdint.h>

enum { PROF_ROW_CHANGES_BLOCK = 1024 };

/* All zeroes are those of an empty table.  The owner frees `blocks.items`. */
struct prof_row_changes {
	PROF_ARRAY(uint64_t) blocks; /* the last change of a row of each */
};

/* Makes room for the changes of a table of COUNT rows.  False: no memory. */
bool prof_row_changes_cover(struct prof_row_changes *changes, size_t count);

/* The row NUMBER, of those that are covered, is changed by CHANGE, the last so far. */
void prof_row_changes_note(struct prof_row_changes *changes, size_t number, uint64_t change);

/*
 * The first row from NUMBER on in whose block a row was changed after SINCE; a number behind all
 * that are covered if there is none.
 */
size_t prof_row_changes_next(const struct prof_row_changes *changes, size_t number, uint64_t since);

#endif
