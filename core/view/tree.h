/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The tree's table, shared by tree.c, which fills it, and tree_text.c, which prints it; and the
 * first three columns of that with several metrics, of tree_several.c.
 */
#ifndef PROF_VIEW_TREE_H
#define PROF_VIEW_TREE_H

#include "metric/collapse.h"
#include "report/grid.h"
#include "report/table.h"
#include "view/options.h"

/* Which values the text has. */
enum prof_columns {
	PROF_COLUMNS_DEFAULT, /* both on a screen, and raw elsewhere */
	PROF_COLUMNS_BOTH,
	PROF_COLUMNS_RAW,
	PROF_COLUMNS_PERCENT,
	PROF_COLUMNS_PARENT,
	PROF_COLUMNS_ALL,
	PROF_COLUMNS,
};

extern const char *const prof_columns_names[PROF_COLUMNS];

/* What the tree has users choose. */
struct prof_tree_choice {
	enum prof_degree collapse;
	enum prof_columns columns;
	enum prof_sort sort;
	uint64_t max_level; /* 0: any */
	double min_percent; /* of the total, from 0 to 100 */
	bool bars;          /* text shows shares as blocks of Unicode too */
	uint64_t limit;     /* rows; 0: all */
};

/* The columns of the table; those behind the stub are empty where it is 1. */
enum {
	PROF_TREE_LEVEL,
	PROF_TREE_NAME,
	PROF_TREE_STUB,
	PROF_TREE_DIRECT,
	PROF_TREE_INDIRECT,
	PROF_TREE_IN_ONLY,
	PROF_TREE_PERCENT,
	PROF_TREE_PARENT_PERCENT,
	PROF_TREE_WIDTH,
};

/* The number of digits of the deepest level in TABLE, of which the first three columns are these.
 */
int prof_tree_digits(const struct prof_table *table);

/* How far LOOK has names indented, where figures take about so many columns before them. */
int prof_tree_indent(const struct prof_markup *markup, size_t figures);

/* Adds to GRID the level of ROW in DIGITS columns, and the name, indented by MOST at the most. */
void prof_tree_name(const struct prof_cell *row, int digits, int most, struct prof_grid *grid);

/* Prints TABLE of SHEET with the columns that CHOICE asks for. */
void prof_tree_text(const struct prof_sheet *sheet, const struct prof_table *table,
	const struct prof_choice *choice, struct prof_text *text);

/* Does SHOWN have the columns of HP's format: both values, and percentages of them? */
bool prof_tree_is_plain(const struct prof_shown *shown);

/* Does CHOICE show counts and percentages beside each other, chains in one row, and the hot path?
 */
bool prof_tree_is_folded(const struct prof_choice *choice);

/* Prints the tree of SHEET with the columns that its metrics ask for. */
struct prof_error *prof_tree_several(const struct prof_sheet *sheet,
	const struct prof_choice *choice, struct prof_text *text) PROF_MUST_CHECK;

#endif
