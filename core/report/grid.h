/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A grid: the cells of a text view, printed in columns as wide as what stands in them. */
#ifndef PROF_REPORT_GRID_H
#define PROF_REPORT_GRID_H

#include "base/text.h"
#include "base/value.h"

#include <stdbool.h>
#include <stdint.h>

/* The lines of a heading. */
enum { PROF_GRID_HEADS = 3 };

struct prof_grid_column {
	const char *heads[PROF_GRID_HEADS]; /* NULL: empty; a line empty in all is left out */
	bool right;                         /* numbers: they end in one column */
};

/*
 * Set COLUMNS, borrowed, and WIDTH; the rest is zeroes.  Cells are added row by row.  The last one
 * of a row is not padded, so names belong there: a terminal may show them wider than anybody knows.
 */
struct prof_grid {
	const struct prof_grid_column *columns;
	size_t width;   /* number of columns */
	bool underline; /* dashes below the heading */

	/* Private part: the cells' texts, each with its NUL. */
	struct prof_text cells;
};

void prof_grid_deinit(struct prof_grid *grid);

/* Frees what a grid holds, for the guard. */
#define AUTO_GRID PROF_AUTO(prof_grid_deinit)

/* Adds a cell. */
void prof_grid_cell(struct prof_grid *grid, const char *text);

/* Adds a cell: VALUE divided by UNITS, with PLACES decimals. */
void prof_grid_number(struct prof_grid *grid, prof_value value, int64_t units, int places);

/* Adds a cell: BEFORE, the untrusted NAME, AFTER. */
void prof_grid_name(
	struct prof_grid *grid, const char *before, const char *name, const char *after);

/* The same of the name of a function. */
void prof_grid_function(
	struct prof_grid *grid, const char *before, const char *name, const char *after);

/* Adds a cell: TEXT, a figure that matters. */
void prof_grid_hot(struct prof_grid *grid, const char *text);

/* Adds a cell: the line TEXT of source, which is not trusted unless it is STYLED for a terminal. */
void prof_grid_line(struct prof_grid *grid, const char *text, bool styled);

/* Adds an empty line; the last row is complete. */
void prof_grid_blank(struct prof_grid *grid);

/* The columns before the last one, and the gap there. */
size_t prof_grid_before(const struct prof_grid *grid);

/* Prints GRID, its heading first. */
void prof_grid_print(const struct prof_grid *grid, struct prof_text *text);

#endif
