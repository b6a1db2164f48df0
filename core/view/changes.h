/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Changes: the columns of a comparison.  Of each measure there are the values of both sides, A and
 * B, the difference B - A, and the ratio B / A; or, normalized, the same of their shares of their
 * totals.
 */
#ifndef PROF_VIEW_CHANGES_H
#define PROF_VIEW_CHANGES_H

#include "metric/comparison.h"
#include "report/grid.h"
#include "report/table.h"

enum {
	PROF_CHANGES_MEASURES = 2,
	PROF_CHANGES_PARTS = 4, /* A, B, difference, ratio */
	PROF_CHANGES_LEADING = 4,
	PROF_CHANGES_COLUMNS = PROF_CHANGES_LEADING + PROF_CHANGES_MEASURES * PROF_CHANGES_PARTS,
};

/* What a measure is on both sides. */
struct prof_change {
	prof_value values[PROF_COMPARISON_SIDES];
};

struct prof_changes {
	const struct prof_metric *metric;
	prof_value totals[PROF_COMPARISON_SIDES]; /* of which shares are taken */
	bool normalize;
	const struct prof_markup *markup;         /* of the text; borrowed */
	const char *whats[PROF_CHANGES_MEASURES]; /* the measures: "Exclusive" */
	size_t count;                             /* of them */
	struct prof_table table; /* the leading cells, and the parts of each measure */
	size_t leading;

	/* Private part. */
	char names[PROF_CHANGES_MEASURES * PROF_CHANGES_PARTS][64];
	const char *columns[PROF_CHANGES_COLUMNS];
};

/* All but the table is set: makes its columns, behind the LEADING ones of these NAMES. */
void prof_changes_begin(struct prof_changes *changes, const char *const *names, size_t leading);

/* Frees what CHANGES holds; all zeroes is fine. */
void prof_changes_deinit(struct prof_changes *changes);
#define AUTO_CHANGES PROF_AUTO(prof_changes_deinit)

/*
 * A new row of which the caller fills in the leading cells; CHANGE has one of each measure, or is
 * NULL, where the row has none.  NULL where memory is short.
 */
struct prof_cell *prof_changes_row(struct prof_changes *changes, const struct prof_change *change);

/* Compares how much the two change: below 0 if A comes before B, because its change is larger. */
int prof_changes_compare(const struct prof_changes *changes, const struct prof_change *a,
	const struct prof_change *b);

/* Fills HEADS with those of the measures, and then LEADING; returns how many there are. */
size_t prof_changes_heads(const struct prof_changes *changes,
	const struct prof_grid_column *leading, size_t leading_count,
	struct prof_grid_column *heads);

/* Adds the measures of the table's row NUMBER to GRID. */
void prof_changes_cells(const struct prof_changes *changes, size_t number, struct prof_grid *grid);

#endif
